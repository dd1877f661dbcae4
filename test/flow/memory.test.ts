import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, get, request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { get as getSecurely } from 'node:https'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { tlsThroughTunnel } from './raw-client.ts'
import { startSim } from './sim-process.ts'
import {
  closeAll,
  closing,
  startTlsUpstream,
  temporaryDirectory,
  upstreamAuthority,
} from './ways-in-setup.ts'

const MIB = 1024 * 1024
const GIB = 1024 * MIB
const directory = temporaryDirectory()
afterEach(closeAll)

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

/** The memory of a process in bytes, by the field of /proc that says so. */
function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kib] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

async function growthOf(pid: number, use: (size: number) => Promise<number>): Promise<number> {
  // First for all that is loaded and grown only once.
  await use(64 * MIB)
  // The peak is told from here on, not that of what was done before.
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = memoryOf(pid, 'VmRSS')
  expect(await use(GIB)).toBe(GIB)
  return memoryOf(pid, 'VmHWM') - before
}

const listener = (incoming: IncomingMessage, response: NodeJS.WritableStream): void => {
  if (incoming.method === 'GET') generated(Number(incoming.url?.slice(1))).pipe(response)
  else void sizeOf(incoming).then((size) => response.end(String(size)))
}

describe.skipIf(!existsSync('/proc/self/status'))('1 GiB through the gateway', { timeout: 180_000 }, () => {
  it('down and up grows its memory by at most 64 MiB', async () => {
    const server = createServer(listener)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    closing.push(() => server.close())
    const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const sim = await startSim(['proxy', '--upstream', upstream])
    closing.push(() => sim.stop())
    const pid = sim.process.pid ?? 0
    const down = async (size: number): Promise<number> => {
      const [response] = (await once(get(`${sim.url}/${size}`), 'response')) as [IncomingMessage]
      return sizeOf(response)
    }
    const up = async (size: number): Promise<number> => {
      const asked = generated(size).pipe(request(sim.url, { method: 'POST' }))
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      response.setEncoding('utf8')
      return Number((await response.toArray()).join(''))
    }
    expect(await growthOf(pid, down)).toBeLessThan(64 * MIB)
    expect(await growthOf(pid, up)).toBeLessThan(64 * MIB)
  })

  it.for(['application/octet-stream', 'text/plain'])(
    'recorded as %s grows its memory by at most 64 MiB',
    async (type) => {
      const server = createServer((incoming, response) => {
        response.setHeader('content-type', type)
        listener(incoming, response)
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      closing.push(() => server.close())
      const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      const recording = join(directory, type.replace('/', '-'))
      const sim = await startSim(['proxy', '--upstream', upstream, '--record', recording])
      closing.push(() => sim.stop())
      const down = async (size: number): Promise<number> => {
        const [response] = (await once(get(`${sim.url}/${size}`), 'response')) as [IncomingMessage]
        return sizeOf(response)
      }
      expect(await growthOf(sim.process.pid ?? 0, down)).toBeLessThan(64 * MIB)
    },
  )

  it('through a tunnel that ends here grows its memory by at most 64 MiB', async () => {
    const authority = await upstreamAuthority(directory)
    const upstream = await startTlsUpstream(authority, listener)
    const caDirectory = join(directory, 'ca')
    const options = ['--intercept', 'localhost', '--ca-dir', caDirectory, '--upstream-ca', authority.certFile]
    const sim = await startSim(['proxy', ...options])
    closing.push(() => sim.stop())
    const down = async (size: number): Promise<number> => {
      const tls = { ALPNProtocols: ['http/1.1'] }
      const port = Number(new URL(sim.url).port)
      const socket = await tlsThroughTunnel(caDirectory, port, `localhost:${upstream.port}`, tls)
      const asked = getSecurely(`${upstream.url}/${size}`, { createConnection: () => socket })
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      return sizeOf(response)
    }
    expect(await growthOf(sim.process.pid ?? 0, down)).toBeLessThan(64 * MIB)
  })
})
