import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { count } from '../plugins/count.ts'
import { errors } from '../plugins/errors.ts'
import { createHost, type Host } from './http/fastify-host.ts'
import { addCatchAll } from './http/fastify-transport.ts'
import { interceptedHosts } from './http/tls-interception.ts'
import { headerTimeoutOf } from './http/limits.ts'
import { addressesBesides } from './http/listeners.ts'
import { SILENT } from './http/log.ts'
import { openLog } from './http/open-log.ts'
import type { MemoryRequest, MemoryResponse } from './http/memory-transport.ts'
import { openEntries } from './http/open-entries.ts'
import { openPeerEntry } from './http/peer-entry.ts'
import { OptionInvalid } from './errors.ts'
import { readServerCertificate } from './http/server-certificate.ts'
import { createProxyAuth } from './http/credentials.ts'
import type { Modes } from './modes/choose-mode.ts'
import { errorResponse, handle, handleInProcess } from './pipeline/handle.ts'
import type { Rerun } from './pipeline/rerun.ts'
import type { Redactor } from './recording/redaction/redactor.ts'
import { scheduleOf, type Scheduled } from './pipeline/schedule.ts'
import type { Clock } from './state/clock.ts'
import type { Listening } from './upstream/targets/guard.ts'

import type { AppGatewayOptions, GatewayOptions } from './gateway-options.ts'
import { prepareServices } from './open-services.ts'
import { withName } from './open-shared-state.ts'

export type { AppGatewayOptions, GatewayDefaults, GatewayOptions } from './gateway-options.ts'

/**
 * A gateway as a Fastify instance, ready to listen or to inject requests.
 * @throws OptionInvalid for an option that cannot be; a recording that cannot be opened fails `ready()`
 */
export function createGateway(options: GatewayOptions = {}): FastifyInstance {
  const opened = completed(options)
  const { limits, logger, middleware = [] } = opened
  // A logger of Fastify's costs each request, and only what users add to the app would use it.
  const isUsed = options.logger !== undefined || middleware.length > 0
  const host = createHost({ limits, ...(isUsed && { logger }) })
  host.app.register(createPlugin(opened, host))
  return host.app
}

/** The gateway as a plugin, so that it can also live inside another Fastify app. */
export function gatewayPlugin(options: GatewayOptions): (app: FastifyInstance) => Promise<void> {
  return createPlugin(completed(options))
}

function completed<Options extends GatewayOptions>(options: Options): Options {
  const named = withName(options)
  if (named.logger !== undefined && typeof Object(named.logger).child !== 'function')
    throw new OptionInvalid(
      'logger takes a logger of pino or Fastify; of its own the gateway has one with log',
    )
  return named.log === undefined || named.logger !== undefined
    ? named
    : { ...named, logger: openLog(named.log) }
}

/** A gateway that is used in process, without a server or connections. */
interface MemoryGateway {
  send(request: MemoryRequest): Promise<MemoryResponse>
  /** Answers a request in a session that was somewhere else. */
  readonly rerun: Rerun
  readonly redactor: Redactor
  /**
   * What chaos does to each of the first requests like this one, as its log has it. Nothing is answered or forwarded,
   * no time passes, and what errors depend on in a request is not looked at.
   */
  schedule(request: MemoryRequest, count: number): Promise<readonly Scheduled[]>
  close(): Promise<void>
}

/**
 * Opens a gateway that only this process uses. There are no middleware, TLS and limits, which are of the server.
 * @throws OptionInvalid for an option that cannot be
 */
export async function openInProcess(
  given: AppGatewayOptions,
  createClock?: () => Clock,
): Promise<MemoryGateway> {
  const options = completed(given)
  const { services, control, parts, rerun, state } = await prepareServices(options)({
    log: options.logger ?? SILENT,
    createClock,
    listening: () => [],
    addresses: () => [],
  })
  return {
    send: (request) => handleInProcess(services, request),
    rerun,
    redactor: parts.redactor,
    schedule: (request, times) => scheduleOf(services, [count, errors], request, times),
    async close() {
      control.close()
      await state?.close()
      await parts.close()
    },
  }
}

// A gateway that does not know whether users have hooks has only a part of the app's server.
function createPlugin(options: GatewayOptions, host?: Host): (app: FastifyInstance) => Promise<void> {
  const { logger: log = SILENT } = options
  const userHooks = host?.userHooks
  const openServices = prepareServices(options)
  const authenticate = createProxyAuth(options.proxyAuth)
  const certificate = options.tls?.certificate
  const ownCertificate = certificate && readServerCertificate(certificate)

  return async (app) => {
    const addresses = (): ReturnType<FastifyInstance['addresses']> =>
      app.server.listening ? [...app.addresses(), ...addressesBesides(app.server)] : []
    const listening = (): readonly Listening[] =>
      addresses().filter((each): each is AddressInfo => typeof each !== 'string')
    const entry = openPeerEntry({
      ...{ given: options.state?.peer, addresses },
      answer: (request, response) => app.routing(request, response),
      upgrades: app.server,
    })
    const { services, control, parts, reportChaos, state, worlds } = await openServices({
      ...{ log, listening, addresses, peer: entry.url },
    })
    await addCatchAll(app, {
      handle: handle.bind(undefined, services),
      readPassed: worlds?.readPassed,
      ...{ authenticate, userHooks, middleware: options.middleware ?? [] },
      toResponse: (error) => errorResponse(error, log),
    })
    if (userHooks !== undefined) {
      const elsewhere = [...(options.targets?.upstreams ?? []), ...parts.adapters.list]
      openEntries(app, {
        ...{ authenticate, log, ownCertificate, caDirectory: options.tls?.caDirectory },
        noteAside: services.requestLog?.noteAside,
        timeoutMs: headerTimeoutOf(options.limits),
        openTunnel: async (authority) =>
          parts.upstream.connect({ protocol: 'http:', ...parts.targets.tunnel(authority) }),
        intercepts: interceptedHosts(options.tls ?? {}, {
          routes: parts.engine.routes,
          redirected: elsewhere.map(({ host }) => host).filter((host) => host !== undefined),
          everything: () => readsEverything(options, parts.modes),
        }),
      })
    }
    const beforeClose = (work: () => Promise<void>): unknown =>
      host === undefined ? app.addHook('preClose', work) : host.beforeClose(work)
    beforeClose(control.leave)
    if (worlds !== undefined) {
      beforeClose(() => worlds.routes.drain())
      app.addHook('onClose', async () => {
        await entry.close()
        await worlds.close()
      })
    }
    app.addHook('preClose', async () => control.close())
    app.addHook('onClose', reportChaos)
    app.addHook('onClose', async () => {
      await state?.close()
      await parts.close()
    })
  }
}

// What is recorded, replayed or compared has to be read, whoever it is for.
function readsEverything({ record }: GatewayOptions, modes: Modes): boolean {
  return record !== undefined || modes.names().some((name) => name !== 'simulate' && name !== 'forward')
}
