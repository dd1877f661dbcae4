import { randomUUID } from 'node:crypto'
import { serverFile, simOf } from '../harness/commands.ts'
import type { LoadRequest } from '../harness/load.ts'
import type { ServerCommand } from '../harness/server.ts'
import { settings } from '../harness/settings.ts'
import { measureWorks, type Surroundings, type Work } from '../harness/work.ts'
import { NEVER_KEPT, withRow } from './against-fastify.ts'
import type { Suite } from './suite.ts'
import { isGrace, isPage, isUser, NEW_USER, QUERY } from './users.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const POST: LoadRequest = { method: 'POST', path: '/users', headers: JSON_TYPE, body: NEW_USER }
const PATCH: LoadRequest = {
  method: 'PATCH',
  path: '/users/500',
  headers: JSON_TYPE,
  body: JSON.stringify({ age: 40 }),
}

/** What it costs to share state: the same gateway with its state on a Redis server, against one that keeps it. */
export const state: Suite = {
  name: 'state',
  describe: 'shared state on a Redis server by a socket file, against the same gateway in memory',
  measure: async () => measureWorks(STATE_WORKS),
}

/** What the suite measures. */
export const STATE_WORKS: readonly Work[] = [
  shared('state-plain', 'a route that needs no state', { path: `/user${QUERY}` }, 0.8, isUser, 'plain'),
  shared(
    'state-plain-off',
    'a route that needs no state, journal off',
    { path: `/user${QUERY}` },
    0.95,
    isUser,
    'plain',
    'off',
  ),
  shared('state-read', 'shared items: read', { path: '/users/500' }, 0.75, isUser),
  shared('state-create', 'shared items: create', POST, 0.85, isGrace),
  shared('state-patch', 'shared items: patch', PATCH, 0.75, isUser),
  shared('state-page', 'shared items: page of 20', { path: '/users?limit=20&offset=480' }, 0.5, isPage),
  shared(
    'state-error-rate',
    'error rate of 1 %',
    { path: `/user${QUERY}`, errors: 'some' },
    0.7,
    isUser,
    'error-rate',
  ),
  shared('state-rate-limit', 'rate limit', { path: `/user${QUERY}` }, 0.7, isUser, 'rate-limit'),
]

function shared(
  name: string,
  describe: string,
  request: LoadRequest,
  atLeast: number,
  check: Work['check'],
  row = 'stateful',
  journal = 'shared',
): Work {
  const command = (build: string, label: string, ...flags: readonly string[]): ServerCommand =>
    withRow(simOf(build, label, 'run', serverFile('sim-options.mjs'), ...NEVER_KEPT, ...flags), row)
  return {
    ...{ name, describe, request, check, target: { atLeast } },
    async ours(build, label, { redis }: Surroundings) {
      const engine = await redis()
      const own = ['--state', engine.url, '--state-name', randomUUID(), '--state-journal', journal]
      return { ...command(build, label, ...own), engine }
    },
    theirs: () => command(settings.build, 'sim in memory'),
  }
}
