import type { FastifyInstance } from 'fastify'
import { loadTarget } from '../loaders/load-target.ts'
import { seedsOf } from '../loaders/join-apps.ts'
import type { LoadedApi, Target } from '../loaders/target.ts'
import type { Seed } from '../engine/random.ts'
import { createGateway, type AppGatewayOptions } from '../gateway.ts'
import { createLog } from './log.ts'
import { TEXT, type Option } from '../pipeline/option.ts'
import type { Command, Given } from './command.ts'
import { asUsage, readFlags } from './flags.ts'
import { printProblems, printSeed } from './print.ts'
import {
  DEFAULT_HOST,
  readServing,
  serveOptions,
  targetArgument,
  type TargetArgument,
} from './serve-flags.ts'
import { serve } from './serve.ts'
import { checkShareable, refuseWorkers } from './workers/check-shareable.ts'
import { ownPart, seedsToTell, withSeeds } from './workers/part.ts'
import { createShared, serveWorker } from './workers/serve-worker.ts'

interface RunFlags {
  readonly upstream: string | undefined
}

const DEFAULT_PORT = 8000
const SERVE_OPTIONS = serveOptions(DEFAULT_PORT)
const RUN_FLAGS: Readonly<Record<keyof RunFlags, Option>> = {
  upstream: {
    // The gateway says what is wrong with it.
    ...TEXT,
    group: 'Upstreams',
    flag: { name: 'upstream', describe: 'Forward what is not declared to this base URL' },
  },
}

/** `sim run <target>` */
export const run: Command = {
  command: 'run <target>',
  describe: 'Serve declared routes',
  positionals: targetArgument('a SimAPI or Fastify app'),
  flags: [SERVE_OPTIONS, RUN_FLAGS],
  examples: [
    ['$0 run app.ts', 'Serve the only app of app.ts on port 8000'],
    ['$0 run app.ts:api --port 0 --seed 42', 'Choose the app, a free port and a seed'],
    ['$0 run api.yaml --watch', 'Serve a document, and what changes in it'],
    ['$0 run app.ts --workers 4', 'Serve by four processes'],
  ],
  async run({ target, ...given }: Given & TargetArgument) {
    const { upstream } = readFlags<RunFlags>(given, RUN_FLAGS)
    const serving = readServing(given, SERVE_OPTIONS)
    const { watch, workers, answerCacheBytes, load, host = DEFAULT_HOST, port = DEFAULT_PORT } = serving
    const part = ownPart()
    const control = { ...serving.control, ...(part !== undefined && { shared: createShared() }) }
    let seed: Seed | undefined
    const optionsOf = (loaded: LoadedApi): AppGatewayOptions => {
      const [{ api, overrides } = loaded] = withSeeds([loaded], part)
      const options = api.gatewayOptions({ ...load.options, ...overrides })
      seed = options.engine.seed
      return { ...options, upstream, control }
    }
    const build = (loaded: Target): FastifyInstance => {
      if (loaded.kind === 'web') return loaded.app
      if (part === undefined) printProblems([loaded])
      return asUsage(() => createGateway({ ...optionsOf(loaded), answerCacheBytes, logger: createLog() }))
    }
    if (part !== undefined) {
      await serveWorker(build(await loadTarget(target, undefined, load)), { host, port: part.port })
      return
    }
    if (workers > 1) {
      if (watch) refuseWorkers(['--watch keeps what changed files leave in one process'])
      const loaded = await loadTarget(target, undefined, load)
      if (loaded.kind === 'web')
        refuseWorkers([`${target} is a web app, which may keep what only one process knows`])
      const options = optionsOf(loaded)
      checkShareable(options)
      printProblems([loaded])
      const apps = seedsToTell(seedsOf([loaded], [target], load))
      const { serveWorkers } = await import('./workers/serve-workers.ts')
      await serveWorkers(workers, { host, port }, { seed: Number(options.engine.seed), apps })
    } else if (watch) {
      const { createVersions } = await import('../loaders/watch/versions.ts')
      const { serveWatched } = await import('./watch.ts')
      const versions = createVersions([target], load)
      await serveWatched(versions, ({ targets: [only] }) => build(only as Target), { host, port })
    } else {
      await serve(build(await loadTarget(target, undefined, load)), { host, port })
    }
    if (seed !== undefined) printSeed(seed)
  },
}
