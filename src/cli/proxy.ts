import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { CommandModule } from 'yargs'
import { joinApps, joinLoaded, seedsOf } from '../loaders/join-apps.ts'
import { loadAdapters } from '../loaders/load-adapter.ts'
import { requireApi } from '../loaders/load-api.ts'
import type { LoadedApi, Target } from '../loaders/target.ts'
import { createGateway, type AppGatewayOptions, type GatewayOptions } from '../gateway.ts'
import { UsageInvalid } from '../errors.ts'
import { controlOf, withControlOptions, type ControlFlags } from './control.ts'
import { createLog } from './log.ts'
import {
  asUsage,
  cacheOf,
  DEFAULT_HOST,
  loadOptionsOf,
  withAppOptions,
  withServeOptions,
  withWatch,
  type AppOptions,
  type ServeOptions,
  type WatchOptions,
} from './options.ts'
import { printProblems } from './print-problems.ts'
import { printSeeds } from './print-seed.ts'
import { chaosOf, rulesOfFlags, withChaosOptions, type ChaosOptions } from './proxy/chaos.ts'
import { checkModes } from './proxy/check-modes.ts'
import { configOf, withConfigOption, type ConfigOption } from './proxy/config.ts'
import { driftOf, withDriftOptions, type DriftFlags } from './proxy/drift.ts'
import { merge } from './proxy/merge.ts'
import { replayOf, withReplayOptions, type ReplayOptions } from './proxy/replay.ts'
import { recordOf, withRecordOptions, type RecordOptions } from './proxy/recording.ts'
import { targetsOf, withTargetsOptions, type TargetsOptions } from './proxy/targets.ts'
import { waysInOf, withWaysInOptions, type WaysInOptions } from './proxy/ways-in.ts'
import { serve } from './serve.ts'
import { checkShareable, refuseWorkers } from './workers/check-shareable.ts'
import { ownPart, seedsToTell, withSeeds } from './workers/part.ts'
import { createShared, serveWorker } from './workers/serve-worker.ts'

interface RoutesOption {
  routes: string[]
}

const DEFAULT_PORT = 8080

type ProxyOptions = ServeOptions &
  AppOptions &
  WatchOptions &
  RoutesOption &
  ConfigOption &
  TargetsOptions &
  ReplayOptions &
  RecordOptions &
  ChaosOptions &
  DriftFlags &
  WaysInOptions &
  ControlFlags

/** `sim proxy` */
export const proxy: CommandModule<object, ProxyOptions> = {
  command: 'proxy',
  describe: 'Be the gateway: answer declared routes, forward, record, replay, inject chaos',
  builder: (yargs) => {
    const served = withWatch(withAppOptions(withServeOptions(yargs, DEFAULT_PORT)))
    const routed = withConfigOption(served).option('routes', {
      type: 'string',
      array: true,
      default: [],
      describe: 'Targets whose routes are answered here',
    })
    return withControlOptions(
      withWaysInOptions(
        withChaosOptions(withReplayOptions(withRecordOptions(withDriftOptions(withTargetsOptions(routed))))),
      ),
    )
      .example('$0 proxy --upstream http://127.0.0.1:3000', 'Forward everything')
      .example(
        '$0 proxy --upstream http://127.0.0.1:3000 --routes app.ts',
        'Answer declared routes, forward the rest',
      )
      .example(
        '$0 proxy --upstream http://127.0.0.1:3000 --record recordings/today',
        'Save what is forwarded',
      )
      .example(
        '$0 proxy --upstream http://127.0.0.1:3000 --error-rate 0.1 --seed 7',
        'Fail one in ten, repeatably',
      )
  },
  async handler(flags) {
    const part = ownPart()
    const config = configOf(flags)
    const routes = flags.routes.length > 0 ? flags.routes : config.routes
    checkRoutes(routes)
    const options = merge<Partial<GatewayOptions>>(config.options, {
      ...targetsOf(flags),
      ...recordOf(flags),
      ...waysInOf(flags),
      replay: replayOf(flags),
      defaults: chaosOf(flags),
      chaos: rulesOfFlags(flags, config.options.chaos),
      control: { ...controlOf(flags), ...(part !== undefined && { shared: createShared() }) },
      ...driftOf(flags),
    })
    checkModes(options)
    if (flags.watch && isWritten(options)) {
      throw new UsageInvalid(
        '--watch serves a new gateway for each change, and --record and --mode new-episodes write from a single one',
      )
    }
    const load = loadOptionsOf(flags)
    const adapters = await loadAdapters(config.adapters, config.file ?? '', flags.seed ?? config.seed)
    let announce = (): void => undefined
    const join = (apps: readonly LoadedApi[]): AppGatewayOptions => {
      if (part === undefined) printProblems(apps)
      const joined = joinLoaded(withSeeds(apps, part), load, part?.seed ?? config.seed)
      announce = () => printSeeds(joined.engine.seed, seedsOf(apps, routes, load))
      return joined
    }
    const build = (apps: readonly LoadedApi[]): FastifyInstance => {
      const served = { ...options, ...join(apps), adapters, ...cacheOf(flags) }
      return asUsage(() => createGateway({ ...served, logger: createLog() }))
    }
    const [host = DEFAULT_HOST, port = DEFAULT_PORT] = [flags.host ?? config.host, flags.port ?? config.port]
    const loadApps = async (): Promise<readonly LoadedApi[]> =>
      (await joinApps(routes, load, config.seed)).apps
    if (part !== undefined) {
      await serveWorker(build(await loadApps()), { host, port: part.port })
      return
    }
    if (flags.workers > 1) {
      if (flags.watch) refuseWorkers(['--watch keeps what changed files leave in one process'])
      const apps = await loadApps()
      const joined = join(apps)
      checkShareable({ ...options, ...joined, adapters })
      const seeds = { seed: Number(joined.engine.seed), apps: seedsToTell(seedsOf(apps, routes, load)) }
      const { serveWorkers } = await import('./workers/serve-workers.ts')
      await serveWorkers(flags.workers, { host, port }, seeds)
    } else if (flags.watch) {
      const { createVersions } = await import('../loaders/watch/versions.ts')
      const { serveWatched } = await import('./watch.ts')
      const versions = createVersions(routes, load)
      const address = { host, port }
      await serveWatched(versions, ({ targets }) => build(appsOf(targets, routes)), address, options.limits)
    } else {
      await serve(build(await loadApps()), { host, port })
    }
    announce()
  },
}

function checkRoutes(routes: readonly string[]): void {
  const files = routes.map((each) => resolve(each))
  const again = routes.find((_, index) => files.indexOf(files[index] ?? '') !== index)
  if (again !== undefined) throw new UsageInvalid(`--routes names '${again}' twice; once is enough`)
}

function isWritten({ record, modes }: Partial<GatewayOptions>): boolean {
  const names = [modes?.mode, ...(modes?.rules ?? []).map(({ mode }) => mode)]
  return record !== undefined || names.includes('new-episodes')
}

function appsOf(targets: readonly Target[], names: readonly string[]): LoadedApi[] {
  return targets.map((target, index) => requireApi(target, names[index] ?? '', 'joined'))
}
