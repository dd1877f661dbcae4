import type { FastifyInstance } from 'fastify'
import type { CommandModule } from 'yargs'
import { loadTarget } from '../declare/load-target.ts'
import type { Target } from '../declare/target.ts'
import { createVersions } from '../declare/watch/versions.ts'
import type { Seed } from '../engine/random.ts'
import { createGateway } from '../gateway/gateway.ts'
import { controlOf, withControlOptions, type ControlFlags } from './control.ts'
import { createLog } from './log.ts'
import {
  asUsage,
  DEFAULT_HOST,
  directOf,
  loadOptionsOf,
  targetText,
  withAppOptions,
  withServeOptions,
  withWatch,
  type AppOptions,
  type ServeOptions,
  type WatchOptions,
} from './options.ts'
import { printProblems } from './print-problems.ts'
import { printSeed } from './print-seed.ts'
import { serve } from './serve.ts'
import { serveWatched } from './watch.ts'

interface RunOptions extends ServeOptions, AppOptions, WatchOptions, ControlFlags {
  target: string
  upstream: string | undefined
}

const DEFAULT_PORT = 8000

/** `sim run <target>` */
export const run: CommandModule<object, RunOptions> = {
  command: 'run <target>',
  describe: 'Serve declared routes',
  builder: (yargs) =>
    withControlOptions(withWatch(withAppOptions(withServeOptions(yargs, DEFAULT_PORT))))
      .positional('target', {
        type: 'string',
        demandOption: true,
        describe: targetText('a SimAPI or Fastify app'),
      })
      .option('upstream', { type: 'string', describe: 'Forward what is not declared to this base URL' })
      .example('$0 run app.ts', 'Serve the only app of app.ts on port 8000')
      .example('$0 run app.ts:api --port 0 --seed 42', 'Choose the app, a free port and a seed')
      .example('$0 run api.yaml --watch', 'Serve a document, and what changes in it'),
  async handler(flags) {
    const { target, upstream, watch, host = DEFAULT_HOST, port = DEFAULT_PORT } = flags
    const load = loadOptionsOf(flags)
    const control = controlOf(flags)
    let seed: Seed | undefined
    const build = (loaded: Target): FastifyInstance => {
      if (loaded.kind === 'web') return loaded.app
      printProblems([loaded])
      const options = loaded.api.gatewayOptions({ ...load.options, ...loaded.overrides })
      seed = options.engine.seed
      return asUsage(() =>
        createGateway({ ...options, upstream, control, direct: directOf(flags), logger: createLog() }),
      )
    }
    if (watch) {
      const versions = createVersions([target], load)
      await serveWatched(versions, ({ targets: [only] }) => build(only as Target), { host, port })
    } else {
      await serve(build(await loadTarget(target, undefined, load)), { host, port })
    }
    if (seed !== undefined) printSeed(seed)
  },
}
