import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { measureServer, median, type Measures } from '../../bench/harness/measure-server.ts'
import type { loadApi } from '../../src/loaders/load-target.ts'
import { fileOf, GITHUB } from './descriptions.ts'
import { allFiles, DIRECTORY, sampleOf } from './directory.ts'

const SIM = resolve(import.meta.dirname, '../../dist/src/cli/main.js')
const LOADER = resolve(import.meta.dirname, '../../dist/src/loaders/load-target.js')
const PRISM = join(import.meta.dirname, 'node_modules/@stoplight/prism-cli/dist/index.js')
const LARGEST = join(DIRECTORY, 'microsoft.com/graph-beta.json')
const ROUNDS = 3
const QUESTIONS = ['/repos/octocat/hello-world', '/repos/octocat/hello-world/issues', '/user', '/gists'].map(
  (path) => ({ method: 'GET', path }),
)

it("listens in half of Prism's time on GitHub's description, within 400 MiB", async () => {
  const file = fileOf(GITHUB)
  const sim: Measures[] = []
  const prism: Measures[] = []
  for (let round = 0; round < ROUNDS; round++) {
    sim.push(await measureServer({ name: 'sim', args: [SIM, 'run', file, '--port', '0'] }, QUESTIONS))
    prism.push(await measureServer({ name: 'prism', args: [PRISM, 'mock', '--port', '0', file] }, []))
  }
  const [ours, theirs] = [sim, prism].map((runs) => median(runs.map(({ start }) => start))) as [
    number,
    number,
  ]
  const memory = Math.max(...sim.map(({ usedMemory }) => usedMemory))
  process.stdout.write(
    `from start to listening: sim ${ours.toFixed(0)} ms, Prism ${theirs.toFixed(0)} ms (ratio ${(ours / theirs).toFixed(2)}); ` +
      `sim's memory: ${memory.toFixed(0)} MiB\n`,
  )
  expect(ours / theirs).toBeLessThanOrEqual(0.5)
  expect(memory).toBeLessThanOrEqual(400)
})

it('holds the largest description in 400 MiB', async () => {
  // Garbage is collected when it listens; an answer that needs nothing of the description comes after that.
  const question = { method: 'GET', path: '/nothing-there' }
  const { start, usedMemory } = await measureServer(
    { name: 'sim', args: [SIM, 'run', LARGEST, '--port', '0'] },
    [question, question],
  )
  process.stdout.write(`the largest: ${start.toFixed(0)} ms to listening, ${usedMemory.toFixed(0)} MiB\n`)
  expect(usedMemory).toBeLessThanOrEqual(400)
})

it('loads most public descriptions in 15 ms of work, and nearly all in 600 ms', async () => {
  const { loadApi: load } = (await import(LOADER)) as { loadApi: typeof loadApi }
  const files = [...sampleOf(allFiles(), 150, 1), fileOf(GITHUB)]
  // The first one loads the code that all of them need.
  await load(files[0] ?? '', 'loaded')
  const [times, loops]: [number[], number[]] = [[], []]
  for (const file of files) {
    times.push(await workOf(() => load(file, 'loaded')))
    loops.push(await workOf(count))
  }
  times.sort((a, b) => a - b)
  const slowness = Math.max(1, median(loops) / LOOP_MS)
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  process.stdout.write(
    `${files.length} descriptions loaded: ${at(0.5).toFixed(1)} ms of work (median), ${at(0.99).toFixed(0)} ms (p99), ` +
      `on a machine ${slowness.toFixed(1)} times slower than that of the bars\n`,
  )
  expect(at(0.5)).toBeLessThanOrEqual(15 * slowness)
  expect(at(0.99)).toBeLessThanOrEqual(600 * slowness)
})

/** What the loop takes on the machine that the bars were set on, in ms. */
const LOOP_MS = 3

function count(): number {
  let sum = 0
  for (let at = 0; at < 3_000_000; at++) sum += at % 7
  return sum
}

/** The CPU time of some work, in ms. */
async function workOf(work: () => unknown): Promise<number> {
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}
