import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, get, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { startSim } from '../test/flow/sim-process.ts'

const MIB = 1024 * 1024
const TOTAL = Number(process.argv[2] ?? 1024) * MIB
const LIMIT = 64 * MIB

/** How 1 GiB goes through `record`. */
interface Shape {
  readonly name: string
  readonly type: string
  readonly bytes: number
  readonly clients: number
  readonly isUpload?: boolean
}

const SHAPES: readonly Shape[] = [
  { name: 'one binary answer', type: 'application/octet-stream', bytes: TOTAL, clients: 1 },
  { name: 'one binary request', type: 'application/octet-stream', bytes: TOTAL, clients: 1, isUpload: true },
  { name: 'one text answer', type: 'text/plain', bytes: TOTAL, clients: 1 },
  { name: 'JSON answers of 1 MiB, 8 at a time', type: 'application/json', bytes: MIB, clients: 8 },
  { name: 'JSON answers of 20 KiB, 32 at a time', type: 'application/json', bytes: 20 * 1024, clients: 32 },
  { name: 'images of 1 MiB, 32 at a time', type: 'image/png', bytes: MIB, clients: 32 },
]

// Each answer is another one, so that none is stored for being stored already.
function generated({ type, bytes }: Shape, number: number): Readable {
  if (type === 'application/json') return Readable.from([jsonOf(bytes, number)])
  const chunk = Buffer.alloc(64 * 1024, `${number} of many `)
  let left = bytes
  return new Readable({
    read() {
      const length = Math.min(left, chunk.length)
      left -= length
      this.push(length === 0 ? null : chunk.subarray(0, length))
    },
  })
}

function jsonOf(bytes: number, number: number): string {
  const rows = Array.from({ length: Math.floor(bytes / 64) }, (_, id) => ({
    id,
    name: `row ${id} of ${number}`,
  }))
  return JSON.stringify({ access_token: `t-${number}`, rows }).padEnd(bytes)
}

function memoryOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const [, kib] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

async function drain(stream: Readable): Promise<number> {
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) size += chunk.length
  return size
}

async function measure(shape: Shape): Promise<{ growth: number; seconds: number; metrics: string }> {
  const server = createServer((incoming, response) => {
    if (incoming.method === 'POST') void drain(incoming).then(() => response.end())
    else {
      response.writeHead(200, { 'content-type': shape.type })
      generated(shape, Number(incoming.url?.slice(1))).pipe(response)
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const directory = mkdtempSync(join(tmpdir(), 'sim-memory-'))
  const sim = await startSim(['proxy', '--upstream', upstream, '--record', join(directory, 'recording')])
  const agent = new Agent({ keepAlive: true })
  const pass = async (number: number): Promise<void> => {
    const options = { agent, method: 'POST', headers: { 'content-type': shape.type } }
    const call =
      shape.isUpload === true
        ? generated(shape, number).pipe(request(sim.url, options))
        : get(`${sim.url}/${number}`, { agent })
    const [response] = (await once(call, 'response')) as [IncomingMessage]
    await drain(response)
  }
  const passAll = async (from: number, count: number): Promise<void> => {
    let next = from
    const client = async (): Promise<void> => {
      while (next < from + count) await pass(next++)
    }
    await Promise.all(Array.from({ length: shape.clients }, client))
  }
  const count = Math.ceil(TOTAL / shape.bytes)
  // First for all that is loaded and grown only once.
  await passAll(0, Math.max(1, Math.ceil(count / 16)))
  const pid = sim.process.pid ?? 0
  const idle = memoryOf(pid, 'VmRSS')
  const start = performance.now()
  await passAll(count, count)
  const seconds = (performance.now() - start) / 1000
  const growth = memoryOf(pid, 'VmHWM') - idle
  const text = await (await fetch(`${sim.url}/__sim/metrics`)).text()
  const metrics = ['written', 'dropped', 'waits'].map(
    (name) => new RegExp(`^sim_recorder_${name}_total (.*)$`, 'm').exec(text)?.[1],
  )
  await sim.stop()
  agent.destroy()
  server.closeAllConnections()
  server.close()
  rmSync(directory, { recursive: true })
  return { growth, seconds, metrics: metrics.join(' / ') }
}

process.stdout.write(`${TOTAL / MIB} MiB through 'record'\n`)
let isOver = false
for (const shape of SHAPES) {
  const { growth, seconds, metrics } = await measure(shape)
  isOver ||= growth > LIMIT
  process.stdout.write(
    `${shape.name}: grew by ${Math.round(growth / MIB)} MiB in ${seconds.toFixed(1)} s (written / dropped / waits: ${metrics})\n`,
  )
}
process.exitCode = isOver ? 1 : 0
