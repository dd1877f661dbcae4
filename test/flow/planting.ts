import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { WebSocketServer } from 'ws'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import type { RedactionRules } from '../../src/recording/redaction/secrets.ts'
import { allBytes, collect } from '../recording/samples.ts'
import { gatewayTo, openFolder, responseTo } from './kit.ts'

type Headers = Readonly<Record<string, string | string[]>>

/** A message that holds a secret somewhere, as a request and as an answer. */
export interface Plant {
  readonly path?: string
  readonly headers?: Headers
  readonly type?: string
  readonly body?: string
}

/** Content codings by name. Of zstd, a frame of stored blocks (RFC 8878, section 3.1.1.2). */
export const CODINGS = {
  identity: (text: string) => Buffer.from(text),
  gzip: gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  zstd(text: string) {
    const bytes = Buffer.from(text)
    const blocks: Buffer[] = []
    for (let at = 0; at === 0 || at < bytes.length; at += 2 ** 16) {
      const block = bytes.subarray(at, at + 2 ** 16)
      const head = Buffer.alloc(3)
      head.writeUIntLE(block.length * 8 + (at + block.length >= bytes.length ? 1 : 0), 0, 3)
      blocks.push(head, block)
    }
    const size = Buffer.alloc(4)
    size.writeUInt32LE(bytes.length)
    return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]), size, ...blocks])
  },
}

/** A gateway that records what is exchanged through it. */
export async function play(rules?: RedactionRules) {
  const record = join(openFolder().path, 'recording')
  const answers = new Map<string, Plant>()
  const { app, port, upstream } = await gatewayTo(
    (incoming, response) => {
      const { headers = {}, type, body = '' } = answers.get(String(incoming.headers['x-number'])) ?? {}
      const coding = (incoming.headers['accept-encoding'] ?? 'identity') as keyof typeof CODINGS
      incoming.resume().once('end', () => {
        const own = { ...headers, ...(type && { 'content-type': type }), 'content-encoding': coding }
        response.writeHead(200, own).end(CODINGS[coding](body))
      })
    },
    { record, redact: rules },
  )
  const sockets = new WebSocketServer({ server: upstream.server })
  sockets.on('connection', (socket) => socket.on('message', (data: Buffer) => socket.send(data.toString())))
  let number = 0
  const exchange = async (
    { path = '/', headers, type, body }: Plant,
    answer: Plant,
    coding: keyof typeof CODINGS = 'identity',
  ): Promise<void> => {
    answers.set(String(++number), answer)
    const sent = request({
      ...{ port, path, method: body === undefined ? 'GET' : 'POST' },
      headers: {
        ...{ 'x-number': number, 'accept-encoding': coding, ...headers },
        ...(type && { 'content-type': type }),
        ...(body !== undefined && { 'content-encoding': coding }),
      },
    })
    sent.end(body === undefined ? undefined : CODINGS[coding](body))
    await once((await responseTo(sent)).resume(), 'end')
  }
  const recorded = async () => {
    await app.close()
    const { bytes } = await allBytes(record)
    return {
      bytes,
      directory: record,
      text: bytes.toString(),
      exchanges: await collect(readExchanges(record)),
    }
  }
  return { exchange, port, recorded }
}

/** How the bytes of a secret may be written. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    // Base64 of the secret wherever it begins in what was encoded, without the ends that depend on its neighbours.
    ...[0, 1, 2].map((shift) =>
      Buffer.concat([Buffer.alloc(shift), bytes])
        .toString('base64')
        .slice(shift === 0 ? 0 : 4, -4),
    ),
  ]
}
