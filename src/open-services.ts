import type { AddressInfo } from 'node:net'
import { count } from '../plugins/count.ts'
import { errors } from '../plugins/errors.ts'
import { PLUGINS } from '../plugins/index.ts'
import { rulesOf } from '../plugins/chaos/read-rules.ts'
import { createControlRoute } from './control/control-route.ts'
import { checkToken } from './control/guard.ts'
import { lineWriter } from './http/open-log.ts'
import { checkContractOptions } from './modes/open-contract.ts'
import { createRouteFor } from './modes/declared-routes.ts'
import { createRerun } from './modes/rerun.ts'
import { createModeRoutes } from './modes/index.ts'
import { type OpenParts, type PartsHost, prepareParts } from './modes/open-parts.ts'
import { createAnswerCache } from './pipeline/answer-cache.ts'
import type { Services } from './pipeline/handle.ts'
import { createPlans, orderPlugins } from './pipeline/plan.ts'
import { createRequestIds, type RequestIds } from './pipeline/request-ids.ts'
import { createRequestLog, type RequestLog } from './pipeline/request-line.ts'
import type { Policies } from './pipeline/route.ts'
import type { Rerun } from './pipeline/rerun.ts'
import type { Redactor } from './recording/redaction/redactor.ts'
import { scheduleOf } from './pipeline/schedule.ts'
import { createEngine, type AppEngine } from './simulation/engine.ts'
import type { Clock } from './state/clock.ts'
import { compileRules } from './state/chaos.ts'
import { createRecordedHeads } from './state/journal-record.ts'
import { checkSessions, createSessions } from './state/sessions.ts'
import type { RedisState } from './state/redis/open-state.ts'
import type { ModeSettings } from './modes/choose-mode.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { openSharedState } from './open-shared-state.ts'
import type { NamedState } from './state/state-options.ts'
import type { OpenWorlds } from './open-worlds.ts'

/** What the services need to know of the server around them. */
export interface ServerParts extends PartsHost {
  readonly addresses: () => readonly (AddressInfo | string)[]
  /** Makes the clock of each session. Default: it runs with the machine's. */
  readonly createClock?: (() => Clock) | undefined
  /** Where other gateways reach this one; absent where they cannot. */
  readonly peer?: (() => Promise<string | undefined>) | undefined
}

export interface OpenServices {
  readonly services: Services
  readonly control: ReturnType<typeof createControlRoute>
  readonly parts: OpenParts
  readonly rerun: Rerun
  readonly reportChaos: () => Promise<void>
  readonly state: RedisState | undefined
  /** What one of the gateways that share a state holds at a time; absent where there is nothing such. */
  readonly worlds: OpenWorlds | undefined
}

// Checks the options, and returns what opens all that handles requests.
export function prepareServices(options: GatewayOptions): (server: ServerParts) => Promise<OpenServices> {
  const { engine = createEngine({ routes: [], seed: 0 }), defaults = {}, cors } = options
  const chaos = compileRules(rulesOf(options.chaos ?? {}))
  const plugins = orderPlugins(PLUGINS, options.plugins ?? [])
  checkSessions(options.sessions ?? {})
  checkToken(options.control?.adminToken)
  checkContractOptions(options.check)
  const openParts = prepareParts({
    ...{ ...options, engine, policies: { ...defaults, cors } },
    isShared: options.state !== undefined,
  })

  return async (server) => {
    const names = createRequestIds(options.log?.requestIds ?? true)
    // Without a log, there is nothing that a name would lead to.
    const isLogged = options.logger !== undefined && options.logger.level !== 'silent'
    const requestIds = isLogged ? names : undefined
    const parts = await openParts({ ...server, requestIds })
    const { seed, store } = engine
    const { redactor, contract } = parts
    const policies: Policies = { ...defaults, cors, contract }
    const state =
      options.state &&
      (await openSharedState(options.state as NamedState, options, engine, {
        chaos,
        redactor,
        log: server.log,
      }))
    const sessions =
      state?.sessions ??
      createSessions({
        redactor,
        ...{ seed, store },
        scenarios: options.scenarios,
        chaos,
        ...options.sessions,
        ...(server.createClock && { createClock: server.createClock }),
      })
    await state?.share('recording', parts.recorders.switch)
    await state?.share('modes', {
      export: () => JSON.stringify(parts.modes.settings),
      import: (text) => parts.modes.set(JSON.parse(text) as ModeSettings),
    })
    const declared = { redactor, shadow: parts.shadow, leavesOutKnown: options.leavesOutKnown }
    const rerun: Rerun = (...given) =>
      createRerun({
        ...{ engine, parts, plugins, declared, control: control.route },
        policies: { ...defaults, cors },
      })(...given)
    const worlds = await shareWorlds(state, options, server, parts)
    const control = createControlRoute({
      ...{ parts, sessions, state, options: options.control, recordings: recordingsOf(options) },
      async writerOf(directory) {
        const { shared } = parts.recorders
        if (shared?.directory !== directory) return undefined
        // Where the server is gone, the rest of the answer stands all the same.
        return (await worlds?.routes.holder(shared).catch(() => undefined))?.gateway
      },
      ...{ rerun, source: options.source },
      schedule: (session, request, times) =>
        scheduleOf({ ...services, sessionOf: () => session }, [count, errors], request, times),
      mustRecord: options.requireRecording ?? false,
      addresses: server.addresses,
    })
    // A change that other gateways wait for takes no longer where it is the first.
    if (state !== undefined) await control.load()
    const modeRoutes = createModeRoutes(policies, () => parts)
    await modeRoutes.load(parts.modes.names())
    const routeFor = createRouteFor(parts.modes, control.route, modeRoutes.of, {
      ...{ ...declared, engine, adapters: parts.adapters },
      defaults: policies,
      cache: createAnswerCache(options.answerCacheBytes ?? 0),
    })
    const services: Services = {
      sessionOf: sessions.ofRequest,
      plans: createPlans(plugins),
      routeFor:
        worlds === undefined
          ? routeFor
          : (exchange) => worlds.routes.place(exchange, () => routeFor(exchange)),
      count: control.metrics.note,
      watch: control.watching,
      heads: createRecordedHeads(),
      log: server.log,
      requestIds,
      requestLog: requestLogOf(options, names, engine, redactor),
    }
    const reportChaos = async (): Promise<void> => {
      const all = sessions.all()
      if (options.onChaos === undefined || all.every(({ chaos: { log } }) => log.size === 0)) return
      const { reportOf } = await import('./control/chaos-report.ts')
      options.onChaos(await reportOf(all))
    }
    return { services, control, parts, rerun, reportChaos, state, worlds }
  }
}

async function shareWorlds(
  state: RedisState | undefined,
  { reach }: GatewayOptions,
  { peer = () => Promise.resolve(undefined) }: ServerParts,
  { adapters, recorders }: OpenParts,
): Promise<OpenWorlds | undefined> {
  const hasNone = adapters.list.length === 0 && recorders.shared === undefined
  if (state === undefined || hasNone) return undefined
  const { openWorlds } = await import('./open-worlds.ts')
  const { namespace, gateway } = state
  const connection = await state.connection.duplicate()
  return openWorlds({ connection, namespace, gateway, peer, reach }, adapters)
}

function requestLogOf(
  { logger, onRequest }: GatewayOptions,
  requestIds: RequestIds,
  engine: AppEngine,
  redactor: Redactor,
): RequestLog | undefined {
  const writeAt = (level: 'info' | 'debug') => logger && lineWriter(logger, level)
  return createRequestLog({
    ...{ info: writeAt('info'), debug: writeAt('debug'), onRequest },
    requestIds,
    urlWithoutSecrets: redactor.url,
    nameWithoutSecrets: (name) => redactor.parameter('name', name),
    isStored: engine.isStored,
  })
}

function recordingsOf({ record, recording }: GatewayOptions): readonly string[] {
  return [...new Set([record, recording].filter((directory) => directory !== undefined))]
}
