import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import seedrandom from 'seedrandom'
import { afterEach, expect, it } from 'vitest'
import { openRecording, readBody, readExchanges } from '../../src/recording/files/recording-files.ts'
import { collect, temporaryDirectory } from '../recording/samples.ts'
import { startSim, type SimServer } from './sim-process.ts'
import { closeAll, closing } from './ways-in-setup.ts'

afterEach(closeAll)

const CLIENTS = 8
const BODIES = [
  { type: 'application/json', body: Buffer.from(JSON.stringify({ fill: 'x'.repeat(500) })) },
  { type: 'text/plain', body: Buffer.from('y'.repeat(50_000)) },
  { type: 'image/png', body: Buffer.alloc(200_000, 0xff) },
]

async function startUpstream(): Promise<string> {
  const server = createServer((incoming, response) => {
    const { type, body } = BODIES[Number(incoming.url?.slice(1)) % BODIES.length] ?? { type: '', body: '' }
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Asks until the server is gone; says which answers came as a whole, and which had begun to be asked for. */
async function load(sim: SimServer, next: () => number, until: Promise<unknown>) {
  const [answered, asked] = [new Set<number>(), new Set<number>()]
  const agent = new Agent({ keepAlive: true })
  const over = new AbortController()
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const number = next()
      asked.add(number)
      try {
        const call = request(`${sim.url}/${number}`, { agent })
        call.end()
        const [response] = (await once(call, 'response')) as [IncomingMessage]
        for await (const _chunk of response);
        answered.add(number)
      } catch {
        return
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  await until
  over.abort()
  await Promise.all(clients)
  agent.destroy()
  return { answered, asked }
}

function numberOf(url: string): number {
  return Number(new URL(url).pathname.slice(1))
}

it(
  'that is killed 20 times at random moments loses at most the exchanges in flight',
  { timeout: 120_000 },
  async () => {
    const upstream = await startUpstream()
    const directory = join(await temporaryDirectory(), 'recording')
    const random = seedrandom('20 kills')
    let number = 0
    const [answered, asked] = [new Set<number>(), new Set<number>()]
    for (let kill = 1; kill <= 20; kill++) {
      const sim = await startSim(['proxy', '--upstream', upstream, '--record', directory])
      const ended = once(sim.process, 'close')
      const seen = await load(
        sim,
        () => number++,
        wait(50 + Math.floor(random() * 700)).then(() => sim.process.kill('SIGKILL')),
      )
      await ended
      for (const each of seen.answered) answered.add(each)
      for (const each of seen.asked) asked.add(each)

      // The recording opens after each kill, as it is and to be written.
      const recorded = (await collect(readExchanges(directory))).map(({ request: { url } }) => numberOf(url))
      expect(new Set(recorded).size).toBe(recorded.length)
      expect(recorded.filter((each) => !asked.has(each))).toEqual([])
      const missing = [...seen.answered].filter((each) => !recorded.includes(each))
      // An answer begins when what ended before it was asked for is written, so each client can lose its last.
      expect(missing.length).toBeLessThanOrEqual(CLIENTS)
      await (await openRecording(directory)).close()
    }
    expect(answered.size).toBeGreaterThan(100)

    for await (const { request: asking, response } of readExchanges(directory)) {
      const { body } = BODIES[numberOf(asking.url) % BODIES.length] ?? {}
      expect((await readBody(directory, response.content))?.equals(body ?? Buffer.alloc(0))).toBe(true)
    }
  },
)
