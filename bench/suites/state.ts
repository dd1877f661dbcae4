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

const READ: LoadRequest = { path: '/users/500' }
const PLAIN: LoadRequest = { path: `/user${QUERY}` }
const PLAIN_WORK = { request: PLAIN, check: isUser, row: 'plain' }

/** What the suite measures. The bars of items are of a gateway whose journal is its own. */
export const STATE_WORKS: readonly Work[] = [
  shared('state-plain', 'a route that needs no state', { ...PLAIN_WORK, journal: 'shared', atLeast: 0.8 }),
  shared('state-plain-off', 'a route that needs no state', { ...PLAIN_WORK, atLeast: 0.95 }),
  shared('state-read', 'shared items: read', { request: READ, check: isUser, atLeast: 0.75 }),
  shared('state-create', 'shared items: create', { request: POST, check: isGrace, atLeast: 0.85 }),
  shared('state-patch', 'shared items: patch', { request: PATCH, check: isUser, atLeast: 0.75 }),
  shared('state-page', 'shared items: page of 20', {
    ...{ request: { path: '/users?limit=20&offset=480' }, check: isPage, atLeast: 0.5 },
  }),
  journaled('state-read-journal', 'shared items: read', { request: READ, check: isUser, atLeast: 0.55 }),
  journaled('state-create-journal', 'shared items: create', { request: POST, check: isGrace, atLeast: 0.85 }),
  shared('state-error-rate', 'error rate of 1 %', {
    ...{ request: { ...PLAIN, errors: 'some' }, check: isUser, atLeast: 0.7, row: 'error-rate' },
  }),
  shared('state-rate-limit', 'rate limit', { ...PLAIN_WORK, atLeast: 0.7, row: 'rate-limit' }),
]

/** What is requested of which server, and how much of the other's speed it has to have. */
interface Shared extends Pick<Work, 'request' | 'check'> {
  readonly atLeast: number
  readonly row?: string
  readonly journal?: Journal
}

type Journal = 'shared' | 'off'

function shared(name: string, what: string, { row = 'stateful', journal = 'off', ...more }: Shared): Work {
  return {
    ...{ name, describe: `${what}, journal ${journal}`, ...bars(more) },
    ours: (build, label, surroundings) => sharing(build, label, row, journal, surroundings),
    theirs: () => command(settings.build, 'sim in memory', row),
  }
}

// What a journal of all gateways costs.
function journaled(name: string, what: string, { row = 'stateful', ...more }: Shared): Work {
  return {
    ...{ name, describe: `${what}, journal shared`, ...bars(more) },
    ours: (build, label, surroundings) => sharing(build, label, row, 'shared', surroundings),
    theirs: (surroundings) => sharing(settings.build, 'sim with its journal off', row, 'off', surroundings),
  }
}

function bars({ request, check, atLeast }: Shared): Pick<Work, 'request' | 'check' | 'target'> {
  return { request, check, target: { atLeast } }
}

async function sharing(
  build: string,
  label: string,
  row: string,
  journal: Journal,
  { redis }: Surroundings,
): Promise<ServerCommand> {
  const engine = await redis()
  const own = ['--state', engine.url, '--state-name', randomUUID(), '--state-journal', journal]
  return { ...command(build, label, row, ...own), engine }
}

function command(build: string, label: string, row: string, ...flags: readonly string[]): ServerCommand {
  return withRow(simOf(build, label, 'run', serverFile('sim-options.mjs'), ...NEVER_KEPT, ...flags), row)
}
