import type { LoadedApi } from '../loaders/target.ts'
import { toTls } from '../options/gateway-config.ts'
import { TEXT, type Option } from '../pipeline/option.ts'
import { GATEWAY_OPTIONS } from '../options/gateway-options.ts'
import type { CheckLevel } from '../pipeline/contract.ts'
import type { Command, Given } from './command.ts'
import { checkingOf, COVERAGE_FLAGS } from './coverage-flags.ts'
import { readFlags } from './flags.ts'
import { createRunOutput } from './run-output.ts'
import { REPORT_FLAGS } from './run-report.ts'
import {
  placesOf,
  readServing,
  serveOptions,
  stateOf,
  targetArgument,
  type TargetArgument,
} from './serve-flags.ts'
import { serveTargets } from './serve-targets.ts'

interface RunFlags {
  readonly upstream: string | undefined
  readonly check: CheckLevel | undefined
  readonly checkAgainst: string | undefined
  readonly checkBodyLimit: number | undefined
}

const DEFAULT_PORT = 8000
const SERVE_OPTIONS = serveOptions(DEFAULT_PORT)
const { check, checkAgainst, checkBodyLimit } = GATEWAY_OPTIONS
const RUN_FLAGS: Readonly<Record<keyof RunFlags, Option>> = {
  ...{ check, checkAgainst, checkBodyLimit },
  upstream: {
    // The gateway says what is wrong with it.
    ...TEXT,
    group: 'Upstreams',
    flag: { name: 'upstream', isCommon: true, describe: 'Forward what is not declared to this base URL' },
  },
}

/** `sim run <target>` */
export const run: Command = {
  command: 'run <target>',
  takesCommand: true,
  describe: 'Serve declared routes',
  positionals: targetArgument('a SimAPI or Fastify app'),
  flags: [SERVE_OPTIONS, RUN_FLAGS, REPORT_FLAGS, COVERAGE_FLAGS],
  examples: [
    ['$0 run app.ts', 'Serve the only app of app.ts on port 8000'],
    ['$0 run app.ts:api --port 0 --seed 42', 'Choose the app, a free port and a seed'],
    ['$0 run api.yaml --watch', 'Serve a document, and what changes in it'],
    [
      '$0 run app.ts --tls-cert cert.pem --tls-key key.pem',
      'Serve https:// with a certificate of your own, too',
    ],
    ['$0 run app.ts --listen unix:/tmp/sim.sock', 'Serve at a socket file'],
    ['$0 run api.yaml --check report', 'Note requests and answers that are not as described'],
    ['$0 run app.ts --workers 4', 'Serve by four processes'],
    ['$0 run app.ts -- npm test', 'Run a command whose requests it answers'],
  ],
  async run({ target, ...given }: Given & TargetArgument) {
    const { upstream, check: level, checkAgainst: against, ...own } = readFlags<RunFlags>(given, RUN_FLAGS)
    const serving = readServing(given, SERVE_OPTIONS)
    const { control, load } = serving
    const tls = toTls(serving.tls)
    const state = stateOf(serving.state)
    const output = await createRunOutput(given, serving)
    const checking = await checkingOf(given, { level, bodyLimit: own.checkBodyLimit }, against, output)
    await serveTargets({
      targets: [target],
      serving,
      state,
      output,
      places: placesOf(serving, {}, output.around === undefined ? DEFAULT_PORT : 0),
      takesWebApp: true,
      optionsOf(apps) {
        const { api, overrides } = apps[0] as LoadedApi
        return {
          ...api.gatewayOptions({ ...load.options, ...overrides }),
          upstream,
          control,
          tls,
          log: serving.log,
          state,
          ...checking,
        }
      },
    })
  },
}
