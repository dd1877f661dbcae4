import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Seed } from '../engine/random.ts'
import { UsageInvalid } from '../errors.ts'
import { createGateway, type AppGatewayOptions } from '../gateway.ts'
import type { Limits } from '../http/limits.ts'
import type { Place } from '../http/listeners.ts'
import { fewFilesNote } from '../http/open-files.ts'
import { seedsOf, type AppSeed } from '../loaders/join-apps.ts'
import { sourceOf } from '../loaders/source-of.ts'
import { loadTarget, requireApi } from '../loaders/load-target.ts'
import { withLinkPlaces } from '../loaders/problem.ts'
import type { LoadedApi, Target } from '../loaders/target.ts'
import type { StateOptions } from '../state/state-options.ts'
import { asUsage } from './flags.ts'
import { printDocuments, printProblems, printSeeds } from './print.ts'
import type { Serving } from './serve-flags.ts'
import type { RunOutput } from './run-output.ts'
import { serve, type Address, type Listening } from './serve.ts'
import { checkShareable, refuseWorkers } from './workers/check-shareable.ts'
import { ownPart, seedsForWorkers, withSeeds, type Part } from './workers/part.ts'
import { createShared, serveWorker } from './workers/serve-worker.ts'

/** What a command serves. */
interface Served {
  readonly targets: readonly string[]
  readonly serving: Serving
  readonly places: readonly Place[]
  readonly limits?: Limits | undefined
  /** Where the state is shared; absent where it is not. */
  readonly state: StateOptions | undefined
  readonly output: RunOutput
  /** Whether its only target may be a web app, which is served as it is. */
  readonly takesWebApp: boolean
  /**
   * What a gateway in front of apps is made of.
   * @param chaosSeed what chaos is drawn from, where this process is one of several
   */
  optionsOf(apps: readonly LoadedApi[], chaosSeed?: number): AppGatewayOptions
}

/** Serves targets by this process, by several, or anew with each change of their files, as flags say. */
export async function serveTargets(served: Served): Promise<void> {
  const { targets, places, limits, takesWebApp, output } = served
  const { around, report, isQuiet } = output
  const { load, workers, watch, answerCacheBytes } = served.serving
  const part = ownPart()
  const shared = part === undefined ? undefined : createShared()
  let seeds: Pick<Part, 'seed' | 'apps'> | undefined = part
  let announce = (): void => undefined
  let caDirectory: string | undefined

  const loadAll = async (): Promise<readonly Target[]> => {
    const loaded: Target[] = []
    for (const target of targets) loaded.push(await loadTarget(target, undefined, load))
    if (part === undefined && loaded.every(({ kind }) => kind !== 'web'))
      seeds = await agreedSeeds(seedsOf(appsOf(loaded), targets, load), load.options?.seed, served.state)
    return loaded
  }
  const optionsOf = (apps: readonly LoadedApi[]): AppGatewayOptions => {
    if (isQuiet)
      report.add(
        'problems',
        apps.flatMap(({ problems }) => problems),
      )
    else if (part === undefined) {
      printDocuments(apps)
      printProblems(apps)
    }
    const { control, ...options } = served.optionsOf(apps, seeds?.seed)
    const source = sourceOf(apps, { targets, load, isJoined: !takesWebApp, options })
    report.add('seed', options.engine.seed)
    announce = () => printSeeds(options.engine.seed, seedsOf(apps, targets, load))
    const state = options.state && { ...options.state, gateway: gatewayOf(options.state, part) }
    return { ...options, state, control: { ...control, shared }, answerCacheBytes, source }
  }
  const appsOf = (loaded: readonly Target[]): readonly LoadedApi[] =>
    withSeeds(
      loaded.map((target, index) => requireApi(target, targets[index] ?? '', 'joined')),
      seeds,
    )
  const build = (loaded: readonly Target[]): FastifyInstance => {
    const [first] = loaded
    if (takesWebApp && first?.kind === 'web') {
      if (around === undefined) return first.app
      throw new UsageInvalid(
        `${targets[0]} is a web app, which no command can use as its proxy: name its SimAPI, or leave out the command`,
      )
    }
    const apps = appsOf(loaded)
    const create = (): FastifyInstance => {
      const { tls, ...rest } = output.complete(optionsOf(apps))
      caDirectory = tls?.caDirectory
      const app = createGateway({ ...rest, tls })
      app.addHook('onClose', async () => output.write())
      return app
    }
    return withLinkPlaces(
      () => apps.flatMap(({ api }) => api.routes),
      () => asUsage(create),
    )
  }

  const serveHere = async (app: Listening, ...at: readonly Place[]): Promise<void> => {
    if (around === undefined) return serve(app, ...at)
    const { serveAround } = await import('./around/serve-around.ts')
    if (!isQuiet) announce()
    await serveAround(app, at, { command: around, caDirectory, output })
  }

  if (part !== undefined) {
    await serveWorker(build(await loadAll()), { ...onlyAddress(places), port: part.port })
    return
  }
  if (workers > 1) {
    const address = onlyAddress(places)
    if (watch) refuseWorkers(['--watch keeps what changed files leave in one process'])
    const loaded = await loadAll()
    if (takesWebApp && loaded[0]?.kind === 'web')
      refuseWorkers([`${targets[0]} is a web app, which may keep what only one process knows`])
    const apps = appsOf(loaded)
    const options = optionsOf(apps)
    checkShareable(options)
    const seeds = seedsForWorkers(seedsOf(apps, targets, load))
    const { serveWorkers } = await import('./workers/serve-workers.ts')
    await serveWorkers(workers, address, { seed: Number(options.engine.seed), apps: seeds })
  } else if (watch) {
    const { createVersions } = await import('../loaders/watch/versions.ts')
    const { serveWatched } = await import('./watch.ts')
    await serveWatched(
      createVersions(targets, load),
      (version) => build(version.targets),
      places,
      limits,
      serveHere,
    )
  } else {
    await serveHere(build(await loadAll()), ...places)
  }
  announce()
  const note = fewFilesNote()
  if (note !== undefined) process.stderr.write(`${note}\n`)
}

// Gateways that share their state draw from one seed where none is given: that of whoever starts first.
async function agreedSeeds(
  seeds: readonly AppSeed[],
  given: Seed | undefined,
  state: StateOptions | undefined,
): Promise<Pick<Part, 'seed' | 'apps'> | undefined> {
  // Without apps there is still chaos that is drawn.
  const isDrawn = seeds.length === 0 ? given === undefined : seeds.some((each) => each.isDrawn)
  if (state === undefined || !isDrawn) return undefined
  const { agreedSeed } = await import('../state/redis/open-state.ts')
  const seed = Number(await agreedSeed(state, randomInt(2 ** 31)))
  return { seed, apps: seedsForWorkers(seeds.map((each) => (each.isDrawn ? { ...each, seed } : each))) }
}

// Each worker listens for itself.
function onlyAddress(places: readonly Place[]): Address {
  const [place] = places
  if (places.length !== 1 || place === undefined || 'path' in place)
    refuseWorkers(['--listen names more places than one address'])
  return place
}

// Workers are gateways of their own: each adds its number to the name that they were given.
function gatewayOf({ gateway }: StateOptions, part: Part | undefined): string | undefined {
  return gateway === undefined || part === undefined ? gateway : `${gateway}-${part.number}`
}
