import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { get, request, type IncomingMessage } from 'node:http'
import { get as getSecurely } from 'node:https'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import {
  caDirectory,
  openFolder,
  responseTo,
  spawnSim,
  startTlsUpstream,
  startUpstream,
  tlsTo,
  upstreamAuthority,
} from './kit.ts'

const MIB = 1024 * 1024
const LONG = 512 * MIB

/** Bytes as fast as they are taken. */
function generated(size: number): Readable {
  const chunk = Buffer.alloc(256 * 1024, 'x')
  let left = size
  return new Readable({
    read() {
      const length = Math.min(left, chunk.length)
      left -= length
      this.push(length === 0 ? null : chunk.subarray(0, length))
    },
  })
}

async function sizeOf(stream: Readable): Promise<number> {
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) size += chunk.length
  return size
}

/** The highest memory of a process while something is done, in bytes. */
async function peakOf(pid: number, use: () => Promise<unknown>): Promise<number> {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  await use()
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

// By the peaks of a short and of a long body: how much garbage V8 lets gather before it collects belongs to both, and
// differs by up to 80 MiB from one to the next, so that what is kept of a long body shows in each of three.
async function expectSteady(pid: number, use: (size: number) => Promise<number>): Promise<void> {
  const short = await peakOf(pid, () => use(192 * MIB))
  const rises: number[] = []
  while (rises.length < 3 && !rises.some((rise) => rise < 64 * MIB)) {
    const long = await peakOf(pid, async () => expect(await use(LONG)).toBe(LONG))
    rises.push(long - short)
  }
  expect(Math.min(...rises)).toBeLessThan(64 * MIB)
}

const listener = (incoming: IncomingMessage, response: NodeJS.WritableStream): void => {
  if (incoming.method === 'GET') generated(Number(incoming.url?.slice(1))).pipe(response)
  else void sizeOf(incoming).then((size) => response.end(String(size)))
}

/** Starts `sim proxy`; gives its process and a download through it. */
async function start(...args: readonly string[]) {
  const sim = await spawnSim(['proxy', ...args])
  const down = async (size: number): Promise<number> => sizeOf(await responseTo(get(`${sim.url}/${size}`)))
  return { url: sim.url, pid: sim.process.pid ?? 0, down }
}

describe.skipIf(!existsSync('/proc/self/status'))('512 MiB through the gateway', () => {
  it('down and up takes at most 64 MiB more than a shorter body', async () => {
    const upstream = await startUpstream(listener)
    const { url, pid, down } = await start('--upstream', upstream.url)
    const up = async (size: number): Promise<number> =>
      Number(await text(await responseTo(generated(size).pipe(request(url, { method: 'POST' })))))
    await expectSteady(pid, down)
    await expectSteady(pid, up)
  })

  it.for(['application/octet-stream', 'text/plain'])(
    'recorded as %s takes at most 64 MiB more than a shorter body',
    async (type) => {
      const upstream = await startUpstream((incoming, response) => {
        response.setHeader('content-type', type)
        listener(incoming, response)
      })
      const recording = join(openFolder().path, 'recording')
      const { pid, down } = await start('--upstream', upstream.url, '--record', recording)
      await expectSteady(pid, down)
    },
  )

  it('through a tunnel that ends here takes at most 64 MiB more than a shorter body', async () => {
    const { certFile } = await upstreamAuthority()
    const upstream = await startTlsUpstream(listener)
    const { url, pid } = await start(
      ...['--intercept', 'localhost', '--ca-dir', caDirectory(), '--upstream-ca', certFile],
    )
    await expectSteady(pid, async (size) => {
      const tls = { ALPNProtocols: ['http/1.1'] }
      const socket = await tlsTo(Number(new URL(url).port), `localhost:${upstream.port}`, tls)
      const sent = getSecurely(`${upstream.url}/${size}`, { createConnection: () => socket })
      return sizeOf(await responseTo(sent))
    })
  })
})
