import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyPluginAsync, FastifyPluginCallback } from 'fastify'
import fp from 'fastify-plugin'
import { OptionInvalid } from '../errors.ts'

/** Middleware as Connect and Express have it. */
export type ConnectMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/** A Fastify plugin. */
export type Plugin =
  FastifyPluginAsync<Record<string, unknown>> | FastifyPluginCallback<Record<string, unknown>>

/** A plugin or middleware on its way into an app. */
export interface Middleware {
  readonly use: Plugin | ConnectMiddleware
  readonly options: Record<string, unknown> | undefined
}

/**
 * Puts middleware around an app; what is added first sees a request first.
 * A plain function of three arguments that came without options is Connect-style; any other is a Fastify plugin.
 */
export async function applyMiddleware(
  app: FastifyInstance,
  middleware: readonly Middleware[],
): Promise<void> {
  for (const { use, options } of middleware) {
    if (isConnect(use, options)) {
      app.addHook('onRequest', (request, reply, next) =>
        use(request.raw, reply.raw, next as (error?: unknown) => void),
      )
    } else {
      // A plugin's hooks must act on the whole app, not on itself alone.
      await app.register(fp(use as FastifyPluginCallback<Record<string, unknown>>), options ?? {})
    }
  }
}

/** @throws OptionInvalid when it is neither a plugin nor middleware */
export function checkMiddleware(use: unknown): void {
  if (typeof use !== 'function')
    throw new OptionInvalid('addMiddleware takes a Fastify plugin or a function (request, response, next)')
  if (use.length > 3)
    throw new OptionInvalid('addMiddleware does not take error-handling middleware (four arguments)')
}

function isConnect(use: Middleware['use'], options: Middleware['options']): use is ConnectMiddleware {
  const isPlugin = Symbol.for('skip-override') in use || use.constructor.name === 'AsyncFunction'
  return !isPlugin && options === undefined && use.length === 3
}
