import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import seedrandom from 'seedrandom'
import { describe, expect, it } from 'vitest'
import { openAuthority } from '../../src/http/certificate-authority.ts'
import { openRecording, readExchanges } from '../../src/recording/files/recording-files.ts'
import { caDirectory, fetchFrom, openFolder, spawnSim, startGateway, type Listening } from '../flow/kit.ts'
import { startSim, type SimServer } from '../flow/sim-process.ts'
import { collect } from '../recording/samples.ts'
import { HOST, type Gateway } from './clients.ts'
import { sampleOf, slopePerMinute, type Sample } from './measure.ts'
import { MODES, runTraffic, type Outcome } from './traffic.ts'
import { startBusyUpstream } from './upstream.ts'

// `npm run long-run` takes ten minutes and 20 kills.
const SECONDS = Number(process.env['SIM_LONG_RUN_SECONDS'] ?? 2)
const KILLS = Number(process.env['SIM_LONG_RUN_KILLS'] ?? 1)
const SEED = Number(process.env['SIM_LONG_RUN_SEED'] ?? 1)
const CLIENTS = 12
const ABORTS = 0.01
const SAMPLE_MS = 2_000
/** Of the time, how much all takes to be loaded and grown once. */
const WARM_UP = 0.25
/** Of exchanges. */
const KINDS = 7
const MAX_MEBIBYTES_PER_MINUTE = 2
const MAX_DESCRIPTORS_PER_MINUTE = 1
/** From so much on, a slope says something. */
const LONG_SECONDS = 120
/** Of exchanges; when there would be more, three quarters are kept. */
const MAX_EXCHANGES = 500
const MIN_KEPT = 300
/** Connections to the upstream that are kept, and files of the recording. */
const MAX_KEPT = 40

async function recordAtFirst({ url }: Listening): Promise<string> {
  const record = openFolder().path
  const recorder = await startGateway({ upstream: url, modes: { mode: 'record' }, record })
  for (const mode of ['replay', 'spy', 'new-episodes', 'diff'])
    for (let number = 0; number < 10; number++) await fetchFrom(`${recorder.url}/${mode}/item/${number}`)
  await recorder.app.close()
  return record
}

/** The gateway of a folder, with each mode below a path of its own. */
async function argumentsFor(upstream: Listening, folder: string): Promise<readonly string[]> {
  const { url } = upstream
  const config = {
    gateway: {
      upstream: url,
      upstreams: [{ host: HOST, url }],
      routes: [`${folder}/routes.yaml`],
      mode: 'forward',
      modes: MODES.map((mode) => ({ path: `/${mode}/**`, mode })),
      record: `${folder}/recording`,
      record_limits: { max_exchanges: MAX_EXCHANGES },
      recording: await recordAtFirst(upstream),
      replay: { ignore_host: true },
      tls: { intercept: [HOST], ca_directory: caDirectory() },
    },
  }
  const files = openFolder({ 'sim.json': JSON.stringify(config) })
  return ['proxy', '--config', join(files.path, 'sim.json'), '--listen', `unix:${folder}/socket`]
}

const ROUTES = `
routes:
  GET /simulate/item/{number}: { output: { type: object, required: [number], properties: { number: { type: string } } } }
`

async function open(folder: string, sim: SimServer): Promise<Gateway> {
  const { cert: ca } = await openAuthority(caDirectory())
  const { port } = new URL(sim.url)
  return { port: Number(port), socketFile: `${folder}/socket`, ca }
}

describe.skipIf(!existsSync('/proc/self/status'))('a gateway under mixed traffic', () => {
  it(
    'holds as much memory and as many descriptors at the end as before',
    { timeout: SECONDS * 1000 + 60_000 },
    async () => {
      const folder = openFolder({ 'routes.yaml': ROUTES }).path
      const upstream = await startBusyUpstream()
      const sim = await spawnSim(await argumentsFor(upstream, folder))
      const { pid = 0 } = sim.process
      const gateway = await open(folder, sim)
      const atFirst = sampleOf(pid, 0)
      const start = performance.now()
      const seconds = (): number => (performance.now() - start) / 1000
      const samples: Sample[] = []
      const sampling = setInterval(
        () => samples.push(sampleOf(pid, seconds())),
        Math.min(SAMPLE_MS, SECONDS * 100),
      )
      // On a busy machine, clients may take longer until they have sent requests of each kind.
      const isOver = ({ ended }: Outcome): boolean =>
        seconds() > SECONDS && (ended.size === KINDS || seconds() > SECONDS + 30)
      const options = { clients: CLIENTS, seed: SEED, modes: MODES, aborts: ABORTS, isOver }
      const { ended, aborted, wrong } = await runTraffic(gateway, options)
      clearInterval(sampling)
      const later = samples.filter((sample) => sample.seconds > SECONDS * WARM_UP)
      const [memory, descriptors] = (['mebibytes', 'descriptors'] as const).map((of) =>
        slopePerMinute(later, of),
      )
      // What clients left behind is seen to once it is known that they have gone.
      await expect
        .poll(() => sampleOf(pid, 0).descriptors, { timeout: 10_000 })
        .toBeLessThan(atFirst.descriptors + MAX_KEPT)
      const atLast = sampleOf(pid, seconds())
      const report = [
        `${SECONDS} s, ${CLIENTS} clients, seed ${SEED}`,
        ...[...ended].map(([kind, count]) => `${kind}: ${count}`),
        `left by their clients: ${aborted}`,
        `memory: ${textOf(later, 'mebibytes')} MiB, slope ${memory?.toFixed(2)} MiB a minute`,
        `descriptors: ${textOf(later, 'descriptors')}, slope ${descriptors?.toFixed(2)} a minute`,
        `at first ${atFirst.descriptors} descriptors, at rest at last ${atLast.descriptors}`,
      ]
      if (SECONDS >= LONG_SECONDS) process.stdout.write(`${report.join('\n')}\n`)
      expect(wrong).toEqual([])
      expect([...ended.keys()]).toHaveLength(KINDS)
      if (SECONDS >= LONG_SECONDS) {
        expect(memory).toBeLessThan(MAX_MEBIBYTES_PER_MINUTE)
        expect(descriptors).toBeLessThan(MAX_DESCRIPTORS_PER_MINUTE)
      }
      expect((await fetchFrom(`${sim.url}/__sim/health`)).body).toMatchObject({ status: 'ok' })
      expect(sim.stderr()).not.toMatch(/\n\s+at /)
      expect(await sim.stop()).toBe(0)
      expect((await collect(readExchanges(join(folder, 'recording')))).length).toBeGreaterThan(0)
    },
  )

  it(
    'that is killed at any moment leaves a whole recording',
    { timeout: KILLS * 10_000 + 60_000 },
    async () => {
      const folder = openFolder({ 'routes.yaml': ROUTES }).path
      const upstream = await startBusyUpstream()
      const args = await argumentsFor(upstream, folder)
      const random = seedrandom(`${SEED} kills`)
      let before = 0
      for (let kill = 0; kill < KILLS; kill++) {
        const sim = await startSim(args)
        const gateway = await open(folder, sim)
        let isOver = false
        const ended = once(sim.process, 'close')
        const options = {
          clients: CLIENTS,
          seed: SEED + kill,
          modes: ['record'],
          aborts: ABORTS,
          isOver: () => isOver,
        }
        const traffic = runTraffic(gateway, options)
        await expect.poll(() => isRecorded(folder), { timeout: 30_000 }).toBe(true)
        await wait(200 + random() * 1500)
        isOver = true
        sim.process.kill('SIGKILL')
        await ended
        expect((await traffic).wrong).toEqual([])
        const recorded = await collect(readExchanges(join(folder, 'recording')))
        expect(recorded.length).toBeGreaterThanOrEqual(Math.min(before, MIN_KEPT))
        before = recorded.length
        await (await openRecording(join(folder, 'recording'))).close()
      }
      expect(before).toBeGreaterThan(0)
    },
  )
})

function isRecorded(folder: string): boolean {
  return (statSync(join(folder, 'recording/exchanges.ndjson'), { throwIfNoEntry: false })?.size ?? 0) > 0
}

function textOf(samples: readonly Sample[], of: 'mebibytes' | 'descriptors'): string {
  const all = samples.map((sample) => sample[of])
  return `${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))}`
}
