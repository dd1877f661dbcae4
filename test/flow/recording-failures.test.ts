import { execFileSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import seedrandom from 'seedrandom'
import { describe, expect, it } from 'vitest'
import { openRecording, readExchanges } from '../../src/recording/files/recording-files.ts'
import { readBody } from '../../src/recording/files/read-body.ts'
import { collect } from '../recording/samples.ts'
import { atEnd } from '../at-end.ts'
import { openFolder, responseTo, startUpstream } from './kit.ts'
import { COMMAND, startProcess, startSim, type SimServer } from './sim-process.ts'

const CLIENTS = 8
const BODIES = [
  { type: 'application/json', body: Buffer.from(JSON.stringify({ fill: 'x'.repeat(500) })) },
  { type: 'text/plain', body: Buffer.from('y'.repeat(50_000)) },
  { type: 'image/png', body: Buffer.alloc(200_000, 0xff) },
]

/**
 * Sends requests, and kills the server some time after so many answers; which came as a whole, and which requests had
 * begun.
 */
async function loadUntilKilled(sim: SimServer, next: () => number, enough: number, afterMs: number) {
  const [answered, begun] = [new Set<number>(), new Set<number>()]
  const reached = new EventEmitter()
  const agent = new Agent({ keepAlive: true })
  const over = new AbortController()
  const client = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const number = next()
      begun.add(number)
      try {
        const response = await responseTo(request(`${sim.url}/${number}`, { agent }).end())
        for await (const _chunk of response);
        if (answered.add(number).size === enough) reached.emit('enough')
      } catch {
        return
      }
    }
  }
  const killed = once(reached, 'enough')
  const clients = Array.from({ length: CLIENTS }, client)
  await killed
  await wait(afterMs)
  sim.process.kill('SIGKILL')
  over.abort()
  await Promise.all(clients)
  agent.destroy()
  return { answered, begun }
}

function numberOf(url: string): number {
  return Number(new URL(url, 'http://any').pathname.slice(1))
}

// `npm run long-run` kills 20 times.
const KILLS = 8

it('a recording that is killed at random moments loses at most the exchanges in flight', async () => {
  const upstream = await startUpstream((incoming, response) => {
    const { type, body } = BODIES[numberOf(incoming.url ?? '') % BODIES.length] ?? { type: '', body: '' }
    response.writeHead(200, { 'content-type': type }).end(body)
  })
  const directory = join(openFolder().path, 'recording')
  const random = seedrandom('kills')
  let number = 0
  const [answered, begun] = [new Set<number>(), new Set<number>()]
  for (let kill = 1; kill <= KILLS; kill++) {
    const sim = await startSim(['proxy', '--upstream', upstream.url, '--record', directory])
    const ended = once(sim.process, 'close')
    const enough = 6 + Math.floor(random() * 40)
    const seen = await loadUntilKilled(sim, () => number++, enough, random() * 20)
    await ended
    for (const each of seen.answered) answered.add(each)
    for (const each of seen.begun) begun.add(each)

    // The recording opens after each kill, as it is and to be written.
    const recorded = (await collect(readExchanges(directory))).map(({ request: { url } }) => numberOf(url))
    expect(new Set(recorded).size).toBe(recorded.length)
    expect(recorded.filter((each) => !begun.has(each))).toEqual([])
    const missing = [...seen.answered].filter((each) => !recorded.includes(each))
    // An answer begins when what ended before its request is written, so each client can lose its last.
    expect(missing.length).toBeLessThanOrEqual(CLIENTS)
    await (await openRecording(directory)).close()
  }
  expect(answered.size).toBeGreaterThan(100)

  for await (const { request: sent, response } of readExchanges(directory)) {
    const { body } = BODIES[numberOf(sent.url) % BODIES.length] ?? {}
    expect((await readBody(directory, response.content))?.equals(body ?? Buffer.alloc(0))).toBe(true)
  }
})

const KIB_100 = 100 * 1024

/** A place of 1 MiB, if this user may make one. */
function mountSmallDisk(directory: string): boolean {
  try {
    mkdirSync(directory)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    return false
  }
  atEnd(() => execFileSync('umount', [directory]))
  return true
}

async function proveIn(directory: string, limit: string, path: string, error: RegExp): Promise<void> {
  const recording = join(directory, 'recording')
  const upstream = await startUpstream((incoming, response) => {
    const isText = incoming.url?.startsWith('/text') === true
    response.writeHead(200, { 'content-type': isText ? 'text/plain' : 'image/png' })
    response.end(Buffer.alloc(isText ? 20_000 : KIB_100, incoming.url ?? ''))
  })
  // By a shell, which may limit it.
  const sim = await startProcess('sh', [
    ...['-c', `${limit} exec "$0" "$@"`, process.execPath, COMMAND],
    ...['proxy', '--upstream', upstream.url, '--record', recording],
  ])
  atEnd(() => sim.stop())
  for (let number = 0; number < 120; number++) {
    const response = await fetch(`${sim.url}/${path}/${number}`)
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(path === 'text' ? 20_000 : KIB_100)
  }
  await sim.stop()
  const stops = sim.stderr().match(/Recording stopped, traffic goes on[^"]*/g) ?? []
  expect(stops).toHaveLength(1)
  expect(stops[0]).toContain(recording)
  expect(stops[0]).toMatch(error)
  const recorded = await collect(readExchanges(recording))
  expect(recorded.length).toBeGreaterThan(3)
  expect(recorded.length).toBeLessThan(120)
  expect(recorded.map(({ request }) => new URL(request.url).pathname)).toEqual(
    recorded.map((_, index) => `/${path}/${index}`),
  )
}

describe('a full disk stops the recording with an error, and never the traffic', () => {
  it.for(['text', 'image'])('of 1 MiB, with %s bodies', async (path, { skip }) => {
    const directory = join(openFolder().path, 'disk')
    if (!mountSmallDisk(directory)) skip('only root may mount')
    await proveIn(directory, '', path, /no space left on device/i)
  })

  // A limit of the process on its files, which any user may set, in blocks of 512 bytes.
  it('of a quota', async () => {
    const limit = `trap '' XFSZ; ulimit -f 800;`
    await proveIn(openFolder().path, limit, 'text', /file too large/i)
  })
})
