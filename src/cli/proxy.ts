import { resolve } from 'node:path'
import type { RouteOptions } from '../engine/route-options.ts'
import { UsageInvalid } from '../errors.ts'
import type { GatewayOptions } from '../gateway.ts'
import { joinLoaded } from '../loaders/join-apps.ts'
import { loadAdapters } from '../loaders/load-adapter.ts'
import { jsonText, writeFileWhole } from '../loaders/write-file.ts'
import { toGatewayOptions, type GatewayConfig } from '../options/gateway-config.ts'
import { GATEWAY_OPTIONS } from '../options/gateway-options.ts'
import { merge } from '../options/merge.ts'
import { ROUTE_OPTIONS } from '../options/route-options.ts'
import { TEXT, type Option, type OptionTable } from '../pipeline/option.ts'
import { createDriftLog, driftText } from '../recording/drift/drift-log.ts'
import type { Recorded } from '../recording/capture/recorder.ts'
import { missText } from '../recording/replay/misses.ts'
import { CHAOS_FLAGS, addChaos } from './chaos-flags.ts'
import type { Command, Given } from './command.ts'
import { printFailure } from './print.ts'
import { CONFIG_FLAGS, readConfig } from './config-flag.ts'
import { checkingOf, COVERAGE_FLAGS } from './coverage-flags.ts'
import { readFlags } from './flags.ts'
import { createRunOutput, type RunOutput } from './run-output.ts'
import { REPORT_FLAGS } from './run-report.ts'
import { placesOf, readServing, serveOptions, stateOf, type Serving } from './serve-flags.ts'
import { serveTargets } from './serve-targets.ts'

const DEFAULT_PORT = 8080
const SERVE_OPTIONS = serveOptions(DEFAULT_PORT)

interface DriftFlags {
  readonly driftReport?: string
}

const DRIFT_FLAGS: Readonly<Record<keyof DriftFlags, Option>> = {
  driftReport: {
    ...TEXT,
    group: 'Recording',
    see: 'drift.md#live',
    flag: {
      name: 'drift-report',
      describe: 'Write what mode diff finds to this file as JSON, when the server ends',
      requiresArg: true,
    },
  },
}

/** What `sim proxy` takes. */
export const PROXY_FLAGS: readonly OptionTable[] = [
  SERVE_OPTIONS,
  CONFIG_FLAGS,
  GATEWAY_OPTIONS,
  COVERAGE_FLAGS,
  DRIFT_FLAGS,
  CHAOS_FLAGS,
  ROUTE_OPTIONS,
]

/** `sim proxy` */
export const proxy: Command = {
  command: 'proxy',
  takesCommand: true,
  describe: 'Be the gateway: answer declared routes, forward, record, replay, inject chaos',
  flags: [...PROXY_FLAGS, REPORT_FLAGS],
  examples: [
    ['$0 proxy --upstream http://127.0.0.1:3000', 'Forward everything'],
    ['$0 proxy --upstream http://127.0.0.1:3000 --routes app.ts', 'Answer declared routes, forward the rest'],
    [
      '$0 proxy --upstream http://127.0.0.1:3000 --routes api.yaml --mode shadow',
      'Answer from the description, and report how the server differs',
    ],
    ['$0 proxy --upstream http://127.0.0.1:3000 --record recordings/today', 'Save what is forwarded'],
    [
      '$0 proxy --upstream http://127.0.0.1:3000 --check report --check-against api.yaml',
      'Forward everything, and note what is not as described',
    ],
    ['$0 proxy --upstream http://127.0.0.1:3000 --error-rate 0.1 --seed 7', 'Fail one in ten, repeatably'],
    ['$0 proxy --routes api.yaml -- npm test', 'Run a command whose requests go through it'],
  ],
  async run(given) {
    const { config, serving, own, routes, ...read } = readProxy(given)
    const output = await createRunOutput(given, serving)
    const options = merge<Partial<GatewayOptions>>(read.options, {
      ...driftOf(readFlags<DriftFlags>(given, DRIFT_FLAGS), output),
      onRecorded: (recorded) => output.say('stderr', recordedText(recorded), 'recorded', recorded),
      onMisses: (report) => output.say('stderr', missText(report), 'notRecorded', report),
    })
    const checking = await checkingOf(given, options.check, own.checkAgainst ?? config.checkAgainst, output)
    const { load, watch, seed } = serving
    if (watch && isWritten(options)) {
      throw new UsageInvalid(
        '--watch serves a new gateway for each change, and --record and --mode new-episodes write from a single one',
      )
    }
    const adapters = await loadAdapters(config.adapters, config.file ?? '', seed ?? config.seed)
    await serveTargets({
      targets: routes,
      serving,
      output,
      places: placesOf(serving, config, output.around === undefined ? DEFAULT_PORT : 0),
      limits: options.limits,
      state: options.state,
      takesWebApp: false,
      optionsOf: (apps, drawn) => ({
        ...options,
        ...checking,
        ...joinLoaded(apps, load, config.seed ?? drawn),
        adapters,
      }),
    })
  },
}

/** What flags and config file say of a gateway. @throws UsageInvalid for what cannot be */
export function readProxy(given: Given): {
  readonly config: ReturnType<typeof readConfig>
  readonly serving: Serving
  readonly own: GatewayConfig
  readonly routes: readonly string[]
  readonly options: Partial<GatewayOptions>
} {
  const config = readConfig(given)
  const serving = readServing(given, SERVE_OPTIONS)
  const own = readFlags<GatewayConfig>(given, GATEWAY_OPTIONS)
  const routes = own.routes !== undefined && own.routes.length > 0 ? own.routes : config.routes
  checkRoutes(routes)
  const options = merge<Partial<GatewayOptions>>(config.options, {
    ...optionsOf(own),
    defaults: readFlags<RouteOptions>(given, ROUTE_OPTIONS),
    chaos: addChaos(given, config.options.chaos),
    control: serving.control,
  })
  const state = stateOf({ ...options.state, ...serving.state })
  checkModes(options)
  return { config, serving, own, routes, options: { ...options, ...(state !== undefined && { state }) } }
}

/** What flags say about the gateway; a client of the proxy may name a server. */
function optionsOf(config: GatewayConfig): Partial<GatewayOptions> {
  const { reach = {} } = config
  if ((reach.clientCert === undefined) !== (reach.clientKey === undefined))
    throw new UsageInvalid('--client-cert and --client-key go together')
  const options = toGatewayOptions(config)
  return { ...options, targets: { ...options.targets, proxy: true } }
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

/** Whether the modes have what they need. @throws UsageInvalid naming the option that is missing */
function checkModes({ modes = {}, record, recording, ...options }: Partial<GatewayOptions>): void {
  const { mode, rules = [] } = modes
  for (const name of [mode, ...rules.map((rule) => rule.mode)]) {
    if (name === 'record' && record === undefined)
      throw new UsageInvalid('--mode record needs a directory to record to: --record <dir>')
    const hasUpstream = options.upstream !== undefined || (options.targets?.upstreams ?? []).length > 0
    if (name === 'shadow' && !hasUpstream)
      throw new UsageInvalid('--mode shadow needs a server to compare with: --upstream URL')
    if (recording === undefined && (name === 'replay' || name === 'spy' || name === 'new-episodes'))
      throw new UsageInvalid(`--mode ${name} needs a recording to read: --recording <dir>`)
  }
}

/**
 * Prints what mode `diff` found when the server ends, and writes it where a file is named.
 * @throws FileNotWritten when the file cannot be written, which is tried at once
 */
export function driftOf(
  { driftReport: file }: { readonly driftReport?: string },
  { say }: Pick<RunOutput, 'say'>,
): Pick<GatewayOptions, 'onDrift'> {
  if (file !== undefined) writeFileWhole(file, jsonText(createDriftLog().report()))
  return {
    onDrift(report) {
      say('stdout', driftText(report), 'drift', report)
      if (file !== undefined) printFailure(() => writeFileWhole(file, jsonText(report)))
    },
  }
}

function recordedText({ directory, written, dropped }: Recorded): string {
  const missing = dropped === 0 ? '' : `, ${dropped} not`
  const next = written === 0 ? '' : `; sim proxy --mode replay --recording ${directory} replays them`
  return `${written} ${written === 1 ? 'exchange' : 'exchanges'} recorded in ${directory}${missing}${next}\n`
}
