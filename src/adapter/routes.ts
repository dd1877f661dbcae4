import { OptionInvalid } from '../errors.ts'
import type { HttpResponse } from '../message.ts'
import type { MountPlace } from '../modes/adapter-mounts.ts'
import { pathKey, type Exchange } from '../pipeline/exchange.ts'
import type { Route } from '../pipeline/route.ts'
import { createRouter, type Routable } from '../routing/router.ts'
import type { AdapterConfig } from './config.ts'
import type { Operation, OperationContext } from './definition.ts'
import { AdapterFault, fail, failureOf } from './failure.ts'
import {
  arrivalOf,
  createBodyReader,
  createPlugins,
  localOf,
  ours,
  type AdapterParts,
  type Arrival,
  type Local,
} from './plugins.ts'
import { noteOf, runHandler } from './redo.ts'
import { isReply, toResponse } from './request.ts'

/**
 * The routes of an adapter, at a place of a gateway or alone: what it returns finds that of a request. HEAD is answered
 * as GET is. What is not implemented is only known in strict mode.
 * @throws OptionInvalid when two operations answer the same, or a path cannot be
 */
export function routesOf<State, Fixture, Config extends AdapterConfig>(
  parts: AdapterParts<State, Fixture, Config>,
  place?: MountPlace,
): (exchange: Exchange) => Route {
  const { definition, config, control, manifest, sessions } = parts
  const { host = '', prefix = '', policies = {} } = place ?? {}
  const known = definition.operations.filter(({ handle }) => config.strict === true || handle !== undefined)
  checkPaths(known)
  const methods = new Set<string>(known.map(({ method }) => method))
  const common = {
    id: undefined,
    source: 'adapter',
    world: ({ headers }: Exchange) => sessions.worldOf(headers),
    policies: { ...policies, ...(config.cors !== undefined && { cors: config.cors }) },
    countKey: pathKey,
  } as const
  const pluginsOf = createPlugins(parts, place)
  const readInput = createBodyReader(definition)
  const formatError = createFormatError(parts)
  const routes = known.map((operation): Route & Routable => {
    const { method, path, aliases } = operation
    const id = `${method} ${host}${prefix}${path}`
    const handler = ours((exchange) => handle(parts, operation, arrivalOf(exchange), localOf(exchange).path))
    const route = { ...common, id, readInput, formatError, handlerFor: () => handler }
    return { ...route, method, path, aliases, plugins: pluginsOf(operation) }
  })
  const router = createRouter(routes, { strict: true })
  const unknown: Route = {
    ...common,
    plugins: pluginsOf(undefined),
    formatError,
    handlerFor: () => (exchange) => {
      const allowed = router.allowed(localOf(exchange)).filter((method) => methods.has(method))
      return fail(allowed.length === 0 ? { kind: 'unknown-path' } : { kind: 'method-not-allowed', allowed })
    },
  }
  const manifestRoute: Route = {
    ...common,
    world: undefined,
    handlerFor: () => () => toResponse({ body: manifest }),
  }
  const controlRoute: Route = {
    ...common,
    policies: { ...common.policies, cors: false },
    handlerFor: () => (exchange) => control(exchange, localOf(exchange).path),
  }

  return (exchange) => {
    const { method } = exchange
    const path = exchange.path.slice(prefix.length) || '/'
    const match = router.match({ method, path })
    exchange.local = { path, params: match?.params ?? {} } satisfies Local<State, Config>
    if (path === definition.manifestPath && /^(GET|HEAD)$/.test(method)) return manifestRoute
    if (path.startsWith('/__sim/')) return controlRoute
    return match?.route ?? unknown
  }
}

async function handle<State, Fixture, Config extends AdapterConfig>(
  { definition: { requestIdHeader }, config }: AdapterParts<State, Fixture, Config>,
  operation: Operation<State, Config>,
  arrival: Arrival<State, Config>,
  path: string,
): Promise<HttpResponse> {
  const { session, life, failed } = arrival
  const { requestId } = failed
  const context = arrival.context as OperationContext<State, Config>
  const { world } = session
  const work = (): Promise<unknown> => runHandler(config, operation, context, session)
  const value = await (world === undefined
    ? work()
    : world.inTurn(life, work, operation.onlyReads === true ? undefined : () => noteOf(context, path)))
  return toResponse(isReply(value) ? value : { body: value }, { [requestIdHeader.toLowerCase()]: requestId })
}

/** Gives errors of the adapter's the form that the imitated service's have; those of the gateway keep theirs. */
function createFormatError<State, Fixture, Config extends AdapterConfig>({
  definition,
  config,
}: AdapterParts<State, Fixture, Config>): NonNullable<Route['formatError']> {
  return (error, exchange) => {
    const { arrival } = localOf<State, Config>(exchange)
    const failure = failureOf(error)
    const isFault = AdapterFault.is(error)
    if (arrival === undefined || (failure === undefined && !isFault)) return undefined
    // What was given up because nobody waits for it went not wrong.
    if (failure?.kind === 'internal' && !exchange.signal.aborted)
      config.onError?.(failure.error, arrival.request)
    const parts =
      failure === undefined ? (error as AdapterFault) : definition.toAnswer(failure, arrival.failed)
    return toResponse(parts, { [definition.requestIdHeader.toLowerCase()]: arrival.failed.requestId })
  }
}

const SEGMENT = /^(?:[^{}]*|\{[A-Za-z_]\w*\*?\})$/

function checkPaths(
  operations: readonly Pick<Operation<unknown>, 'id' | 'method' | 'path' | 'aliases'>[],
): void {
  const owners = new Map<string, string>()
  for (const { id, method, path: main, aliases = [] } of operations) {
    for (const path of [main, ...aliases]) {
      const problem = problemOf(path)
      if (problem !== undefined) throw new OptionInvalid(`${id}: ${problem}`)
      const shape = `${method} ${path.replaceAll(/\{\w+(\*?)\}/g, '{$1}')}`
      const owner = owners.get(shape)
      if (owner !== undefined) throw new OptionInvalid(`${id} and ${owner} both answer ${method} ${path}`)
      owners.set(shape, id)
    }
  }
}

function problemOf(path: string): string | undefined {
  if (!path.startsWith('/')) return `the path '${path}' must start with '/'`
  const segments = path.slice(1).split('/')
  const odd = segments.find((segment) => !SEGMENT.test(segment))
  if (odd !== undefined) return `'${odd}' in '${path}' is neither a fixed segment nor '{name}'`
  const rest = segments.slice(0, -1).find((segment) => segment.endsWith('*}'))
  return rest && `'${rest}' must be the last segment of '${path}'`
}
