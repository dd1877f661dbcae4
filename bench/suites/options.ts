import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serverFile, simOf } from '../harness/commands.ts'
import type { LoadRequest } from '../harness/load.ts'
import type { ServerCommand } from '../harness/server.ts'
import { measureWorks, type Surroundings, type Work } from '../harness/work.ts'
import { Query, SHARE, TOKEN, User, WAIT_MS } from '../servers/model.mjs'
import { againstFastify, NEVER_KEPT, withRow } from './against-fastify.ts'
import type { Suite } from './suite.ts'
import { hasDetail, isGrace, isPage, isUser, NEW_USER, QUERY } from './users.ts'

const ONE: LoadRequest = { path: `/user${QUERY}` }
const AUTHORIZATION = { authorization: `Bearer ${TOKEN}` }
const SESSION = { 'x-sim-session': 'worker-1' }
const JSON_TYPE = { 'content-type': 'application/json' }
const POST: LoadRequest = { method: 'POST', path: '/users', headers: JSON_TYPE, body: NEW_USER }

/** Each option of a route, against Fastify with the plugin or the code that its users have for the same. */
export const options: Suite = {
  name: 'options',
  describe: 'options of routes and stored items, against Fastify with the plugin or the code for the same',
  measure: async () => measureWorks(OPTION_WORKS),
}

/** What the suite measures. */
export const OPTION_WORKS: readonly Work[] = [
  againstFastify('bearer', 'bearer token', { ...ONE, headers: AUTHORIZATION }, 0.9, isUser),
  againstFastify('rate-limit', 'rate limit', ONE, 0.9, isUser),
  againstFastify('error-rate', 'error rate of 1 %', { ...ONE, errors: 'some' }, 0.9, isUser),
  againstFastify('errors', 'nothing but simulated errors', { ...ONE, errors: 'all' }, 0.9, hasDetail),
  {
    ...againstFastify('latency-rule', 'latency rule, 1 ms for 1 %', ONE, 0.9, isUser),
    ours: async (build, name, surroundings) =>
      withRule(simOf(build, name, 'proxy', ...NEVER_KEPT), 'plain', surroundings),
  },
  againstFastify('session', 'session header', { ...ONE, headers: SESSION }, 0.9, isUser),
  againstFastify('post', 'POST with JSON', POST, 0.9, isGrace),
  {
    ...againstFastify(
      'all',
      'all of them at once',
      { ...POST, headers: { ...JSON_TYPE, ...AUTHORIZATION, ...SESSION }, errors: 'some' },
      0.8,
      isGrace,
    ),
    ours: async (build, name, surroundings) =>
      withRule(simOf(build, name, 'proxy', ...NEVER_KEPT), 'all', surroundings),
  },
  againstFastify('hook', 'one onRequest hook of the user', ONE, 0.7, isUser),
  stateful('create', 'stored items: create', POST, isGrace),
  stateful('read', 'stored items: read', { path: '/users/500' }, isUser),
  stateful(
    'patch',
    'stored items: patch',
    { method: 'PATCH', path: '/users/500', headers: JSON_TYPE, body: JSON.stringify({ age: 40 }) },
    isUser,
  ),
  stateful('page', 'stored items: page of 20', { path: '/users?limit=20&offset=480' }, isPage),
  {
    ...againstFastify(
      'openapi',
      'an operation of an OpenAPI description',
      { path: `/v1/users/7${QUERY}` },
      0.9,
      isUser,
    ),
    ours: async (build, name, { folder }) => {
      const file = join(folder, 'users.json')
      await writeFile(file, JSON.stringify(DESCRIPTION))
      return simOf(build, name, 'run', file, '--seed', '42', ...NEVER_KEPT)
    },
  },
]

function stateful(name: string, describe: string, request: LoadRequest, check: Work['check']): Work {
  return { ...againstFastify('stateful', describe, request, 0.9, check), name }
}

// Rules for latency stand in a config file, which only the gateway reads.
async function withRule(
  command: ServerCommand,
  row: string,
  { folder }: Surroundings,
): Promise<ServerCommand> {
  const rule = {
    name: 'slow',
    match: { methods: ['GET', 'POST'], path: '/{user,users}' },
    latency: { distribution: 'fixed', ms: WAIT_MS, rate: SHARE },
  }
  const file = join(folder, `${row}.json`)
  await writeFile(file, JSON.stringify({ seed: 42, gateway: { chaos: { rules: [rule] } } }))
  const args = [...command.args, '--config', file, '--routes', serverFile('sim-options.mjs')]
  return withRow({ ...command, args }, row)
}

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Users', version: '1' },
  servers: [{ url: 'https://users.example/v1' }],
  paths: {
    '/users/{id}': {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } },
          ...Object.entries(Query['properties'] as object).map(([name, schema]: [string, unknown]) => ({
            ...{ name, in: 'query', schema },
          })),
        ],
        responses: {
          200: { description: 'A user', content: { 'application/json': { schema: User } } },
        },
      },
    },
  },
}
