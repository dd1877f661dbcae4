import type { FastifyInstance, InjectOptions } from 'fastify'
import Type from 'typebox'
import { onTestFinished } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list } from '../../src/engine/schema/list.ts'
import { createGateway, type GatewayOptions } from '../../src/gateway.ts'

export const User = Type.Object({ id: Type.Integer(), name: Type.String() })

/** A stateful app of users. */
export function usersApi(seed = 7): SimAPI {
  const api = new SimAPI({ seed, stateful: true })
  const Body = Type.Object({ name: Type.String(), password: Type.Optional(Type.String()) })
  api.get('/users', { output: list(User), summary: 'All users' })
  api.post('/users', { input: Body, output: User })
  api.get('/users/{id}', { output: User })
  return api
}

/** A gateway and a way to ask it. */
export interface Asking {
  readonly app: FastifyInstance
  ask(method: string, url: string, body?: unknown, options?: InjectOptions): Promise<Answered>
}

export interface Answered {
  readonly status: number
  // Tests know what they ask for.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
  readonly headers: Readonly<Record<string, unknown>>
}

/** Opens a gateway for one test. */
export function open(options: Partial<GatewayOptions> = {}, api = usersApi()): Asking {
  const app = createGateway({ ...api.gatewayOptions(), ...options })
  onTestFinished(() => app.close())
  return { app, ask: askOf(app) }
}

/** A way to send requests to a gateway that does not listen: objects go as JSON, and JSON is read. */
export function askOf(app: FastifyInstance): Asking['ask'] {
  return async (method, url, body, { headers, ...others } = {}) => {
    const answer = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        host: 'localhost',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: JSON.stringify(body) }),
      ...others,
    })
    const isJson = String(answer.headers['content-type']).startsWith('application/json')
    return {
      status: answer.statusCode,
      body: isJson ? answer.json() : answer.body,
      headers: answer.headers,
    }
  }
}
