import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { parseJsonText } from '../engine/json-text.ts'
import { BodyTooLarge, InputInvalid } from '../errors.ts'

/** Bodies of declared routes may be this large. */
export const MAX_BODY_BYTES = 1024 * 1024

/**
 * Reads a request's body as JSON (RFC 8259); `undefined` when it has none.
 * @throws InputInvalid when it is not JSON, nests deeper than 200 levels, or holds a key such as `__proto__`
 * @throws BodyTooLarge when it is over 1 MiB
 */
export async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  // A parent such as Express may have read the body already.
  if (request.readableEnded) return (request as { body?: unknown }).body
  const text = (await readBytes(request)).toString('utf8')
  if (text === '') return undefined
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/(?:.+\+)?json\b/i.test(type)) {
    const msg = `Expected a JSON body, not ${type}`
    throw new InputInvalid([{ type: 'json_type', loc: ['body'], msg, input: text.slice(0, 200) }])
  }
  return parseJsonText(text, ['body'])
}

/** All bytes of a stream. @throws BodyTooLarge when there are more than 1 MiB */
export function readBytes(stream: Readable): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (settle: () => void): void => {
      stream.off('data', add)
      stream.off('end', finish)
      stream.off('error', fail)
      stream.off('close', abandon)
      settle()
    }
    const add = (chunk: Buffer): void => {
      size += chunk.length
      if (size > MAX_BODY_BYTES) {
        end(() => reject(new BodyTooLarge(MAX_BODY_BYTES)))
        // With the request itself would go the connection, which the response needs.
        if (!('rawHeaders' in stream)) stream.destroy()
        return
      }
      chunks.push(chunk)
    }
    const finish = (): void =>
      end(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
    const fail = (error: Error): void => end(() => reject(error))
    const abandon = (): void => fail(new Error('The body ended before its end'))
    stream.on('data', add)
    stream.once('end', finish)
    stream.once('error', fail)
    stream.once('close', abandon)
  })
}
