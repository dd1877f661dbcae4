import { script, serverFile, sim } from '../harness/commands.ts'
import { compare, type Contender } from '../harness/compare.ts'
import type { Row } from '../harness/figures.ts'
import { createPeers } from '../harness/peers.ts'
import { throughputRows, type Against } from '../harness/rows.ts'
import type { ServerCommand } from '../harness/server.ts'
import { isWanted, measureWorks, type Work } from '../harness/work.ts'
import { againstFastify, NEVER_KEPT } from './against-fastify.ts'
import type { Suite } from './suite.ts'
import { areTen, isUser, QUERY } from './users.ts'

const APP = serverFile('sim-app.mjs')
const UNCACHED = sim('sim', 'run', APP, ...NEVER_KEPT)
const CACHED = sim('sim', 'run', APP)
const BARE = script('bare Fastify', 'bare.mjs')

/** What is generated without any option. */
export const GENERATED_WORKS: readonly Work[] = [
  {
    ...againstFastify(
      'plain',
      'one generated object, validated query',
      { path: `/user${QUERY}` },
      0.95,
      isUser,
    ),
    maxP99: 1.5,
  },
  againstFastify('list', 'ten generated objects', { path: '/users' }, 1, areTen),
]

/** Generated answers against constant ones of bare Fastify. */
export const generated: Suite = {
  name: 'generated',
  describe: 'generated answers against constant ones of bare Fastify',
  async measure() {
    const rows = await measureWorks(GENERATED_WORKS)
    if (!isWanted({ name: 'cached' })) return rows
    const kept = await compare([asking(CACHED, '/users', areTen), asking(BARE, '/buffer', areTen)])
    return [
      ...rows,
      ...throughputRows('ten generated objects, cached', 'sim', kept, [{ name: BARE.name, atLeast: 0.9 }]),
    ]
  },
}

/** Generated answers against those of the peers. */
export const peers: Suite = {
  name: 'peers',
  describe: 'generated answers against those of other products',
  async measure() {
    const { servers, remove } = await createPeers()
    try {
      return [
        ...(await peersAt('/user', 'one generated object', isUser, servers, {
          'json-schema-faker on Fastify': 3,
        })),
        ...(await peersAt('/users', 'ten generated objects', areTen, servers, {
          'json-schema-faker on Fastify': 10,
        })),
      ]
    } finally {
      await remove()
    }
  },
}

const AT_LEAST: Readonly<Record<string, number>> = { mockttp: 5, WireMock: 5, Prism: 15, Mockoon: 30 }

async function peersAt(
  path: string,
  work: string,
  check: Contender['check'],
  servers: readonly ServerCommand[],
  own: Readonly<Record<string, number>>,
): Promise<readonly Row[]> {
  const rounds = await compare([UNCACHED, ...servers].map((server) => asking(server, path, check)))
  const against = servers.map(({ name }): Against => ({ name, atLeast: own[name] ?? AT_LEAST[name] ?? 5 }))
  return throughputRows(`${work}, no cache`, 'sim', rounds, against)
}

function asking(server: ServerCommand, path: string, check: Contender['check']): Contender {
  return { server, request: { path }, check }
}
