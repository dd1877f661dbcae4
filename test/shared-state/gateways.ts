import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createGateway as createOne, type GatewayOptions } from '../../src/gateway.ts'

export * from '../../src/gateway.ts'

/** How many gateways a test has where it makes one. */
const COUNT = Number(process.env['SIM_TEST_GATEWAYS'] ?? 3)

/** Several gateways with one state, which take turns at the requests that one app gets. */
export function createGateway(options: GatewayOptions = {}): FastifyInstance {
  const url = process.env['SIM_TEST_STATE'] ?? ''
  const name = randomUUID()
  const apps = Array.from({ length: COUNT }, (_, index) =>
    createOne({ ...options, state: { url, name, gateway: `gateway-${index + 1}`, ...options.state } }),
  )
  const [first] = apps as [FastifyInstance]
  let turn = 0
  const next = (): FastifyInstance => apps[turn++ % apps.length] as FastifyInstance
  let isReady: Promise<unknown> | undefined
  const ready = (): Promise<unknown> => (isReady ??= open())
  const open = async (): Promise<void> => {
    await Promise.all(apps.map((app) => app.ready()))
    const own = first.server.listeners('request')
    first.server.removeAllListeners('request')
    first.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const chosen = next()
      if (chosen === first)
        for (const listener of own) Reflect.apply(listener, first.server, [request, response])
      else chosen.server.emit('request', request, response)
    })
  }
  const ours: Partial<Record<keyof FastifyInstance, unknown>> = {
    ready: async () => {
      await ready()
      return first
    },
    inject: async (...args: Parameters<FastifyInstance['inject']>) => {
      await ready()
      return next().inject(...args)
    },
    listen: async (...args: Parameters<FastifyInstance['listen']>) => {
      await ready()
      return first.listen(...args)
    },
    close: () => Promise.all(apps.map((app) => app.close())),
  }
  return new Proxy(first, {
    get: (target, key) =>
      Object.hasOwn(ours, key) ? ours[key as keyof FastifyInstance] : Reflect.get(target, key, target),
  })
}
