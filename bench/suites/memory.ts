import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, get, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sim } from '../harness/commands.ts'
import { figureOf, rowOf, type Row } from '../harness/figures.ts'
import { startServer } from '../harness/server.ts'
import { drain, startStreamedUpstream, streamed, type Bodies } from '../harness/streamed-upstream.ts'
import type { Suite } from './suite.ts'

const MIB = 1024 * 1024
const KIB = 1024
const TOTAL = 1024 * MIB
const MAX_MORE = 64

/** How the bodies go through a recording gateway. */
interface Shape extends Bodies {
  readonly name: string
  readonly clients: number
  /** Whether they are sent, and not answered. */
  readonly isUpload?: boolean
}

const SHAPES: readonly Shape[] = [
  { name: 'one binary answer', type: 'application/octet-stream', bytes: TOTAL, clients: 1 },
  { name: 'one binary request', type: 'application/octet-stream', bytes: TOTAL, clients: 1, isUpload: true },
  { name: 'one text answer', type: 'text/plain', bytes: TOTAL, clients: 1 },
  { name: 'JSON answers of 1 MiB, 8 at a time', type: 'application/json', bytes: MIB, clients: 8 },
  { name: 'JSON answers of 20 KiB, 32 at a time', type: 'application/json', bytes: 20 * KIB, clients: 32 },
  { name: 'images of 1 MiB, 32 at a time', type: 'image/png', bytes: MIB, clients: 32 },
]

/** The most memory that forwarding and recording take, against the same process before. */
export const memory: Suite = {
  name: 'memory',
  describe: 'memory while 1 GiB is forwarded and recorded, against the same process idle',
  async measure() {
    const rows: Row[] = []
    for (const shape of SHAPES) rows.push(await measure(shape))
    return rows
  },
}

/** Where there is a disk of memory, the other disk's pace does not decide what can be recorded. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

async function measure(shape: Shape): Promise<Row> {
  const folder = await mkdtemp(join(FOLDER, 'sim-bench-memory-'))
  const upstream = await startStreamedUpstream(shape)
  const recording = join(folder, 'recording')
  const command = sim('sim', 'proxy', '--upstream', upstream.url, '--record', recording)
  const server = await startServer({ ...command, core: null })
  const agent = new Agent({ keepAlive: true })
  try {
    const count = Math.ceil(TOTAL / shape.bytes)
    const fresh = server.memory()
    // First for all that is loaded and grown only once.
    const warming = Math.max(1, Math.ceil(count / 16))
    await passAll(shape, server.url, agent, { from: 0, to: warming })
    const idle = server.memory()
    const before = await countsOf(server.url)
    await passAll(shape, server.url, agent, { from: warming, to: warming + count })
    const most = server.maxMemory()
    const after = await countsOf(server.url)
    const dropped = after.dropped - before.dropped
    process.stderr.write(
      `${shape.name}: ${fresh.toFixed(1)} MiB before its first request, waits ${after.waits - before.waits}\n`,
    )
    return {
      ...rowOf({
        work: `memory while forwarding and recording 1 GiB: ${shape.name}`,
        contender: 'itself, warm and idle',
        unit: 'MiB',
        ours: figureOf([most]),
        theirs: figureOf([idle]),
      }),
      target: { atMostMore: MAX_MORE },
      // What is left out takes no memory either.
      ...(dropped > 0 && { failure: `the disk did not keep up: ${dropped} of ${count} were not recorded` }),
    }
  } finally {
    agent.destroy()
    await server.stop()
    upstream.close()
    await rm(folder, { recursive: true })
  }
}

interface Numbers {
  readonly from: number
  readonly to: number
}

async function passAll(shape: Shape, url: string, agent: Agent, { from, to }: Numbers): Promise<void> {
  let next = from
  const client = async (): Promise<void> => {
    while (next < to) await pass(shape, url, agent, next++)
  }
  await Promise.all(Array.from({ length: shape.clients }, client))
}

async function pass(shape: Shape, url: string, agent: Agent, number: number): Promise<void> {
  const options = { agent, method: 'POST', headers: { 'content-type': shape.type } }
  const call =
    shape.isUpload === true
      ? streamed(shape, number).pipe(request(url, options))
      : get(`${url}/${number}`, { agent })
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  await drain(response)
  if (response.statusCode !== 200) throw new Error(`${shape.name}: answered with ${response.statusCode}`)
}

interface Counts {
  readonly dropped: number
  readonly waits: number
}

async function countsOf(url: string): Promise<Counts> {
  const text = await (await fetch(`${url}/__sim/metrics`)).text()
  const count = (name: string): number =>
    Number(new RegExp(`^sim_recorder_${name}_total (.*)$`, 'm').exec(text)?.[1])
  return { dropped: count('dropped'), waits: count('waits') }
}
