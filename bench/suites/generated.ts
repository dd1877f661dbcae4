import { compare, type Contender } from '../harness/compare.ts'
import { script, serverFile, sim } from '../harness/commands.ts'
import { createPeers } from '../harness/peers.ts'
import { throughputRows, type Against } from '../harness/rows.ts'
import type { ServerCommand } from '../harness/server.ts'
import type { Row } from '../harness/figures.ts'
import type { Suite } from './suite.ts'

const QUERY = '?name=ada&limit=5&status=active&verified=true&page=2'
const APP = serverFile('sim-app.mjs')
const UNCACHED = sim('sim', 'run', APP, '--answer-cache-bytes', '0')
const CACHED = sim('sim', 'run', APP)
const BARE = script('bare Fastify', 'bare.mjs')

/** Generated answers against constant ones of bare Fastify. */
export const generated: Suite = {
  name: 'generated',
  describe: 'generated answers against constant ones of bare Fastify',
  async measure() {
    const one = await compare([
      asked(UNCACHED, `/user${QUERY}`, isUser),
      asked(BARE, `/user${QUERY}`, isUser),
    ])
    const ten = await compare([asked(UNCACHED, '/users', areTen), asked(BARE, '/users', areTen)])
    const kept = await compare([asked(CACHED, '/users', areTen), asked(BARE, '/buffer', areTen)])
    return [
      ...throughputRows('one generated object, validated query, no cache', 'sim', one, [
        { name: BARE.name, least: 0.9, mostP99: 1.5 },
      ]),
      ...throughputRows('ten generated objects, no cache', 'sim', ten, [{ name: BARE.name, least: 0.9 }]),
      ...throughputRows('ten generated objects, cached', 'sim', kept, [{ name: BARE.name, least: 0.9 }]),
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

const LEAST: Readonly<Record<string, number>> = { mockttp: 5, WireMock: 5, Prism: 15, Mockoon: 30 }

async function peersAt(
  path: string,
  work: string,
  check: Contender['check'],
  servers: readonly ServerCommand[],
  own: Readonly<Record<string, number>>,
): Promise<readonly Row[]> {
  const rounds = await compare([UNCACHED, ...servers].map((server) => asked(server, path, check)))
  const against = servers.map(({ name }): Against => ({ name, least: own[name] ?? LEAST[name] ?? 5 }))
  return throughputRows(`${work}, no cache`, 'sim', rounds, against)
}

function asked(server: ServerCommand, path: string, check: Contender['check']): Contender {
  return { server, path, check }
}

function isUser(body: Buffer): void {
  checkUser(JSON.parse(body.toString()))
}

function areTen(body: Buffer): void {
  const users: unknown = JSON.parse(body.toString())
  if (!Array.isArray(users) || users.length !== 10) throw new Error('its body is not a list of ten')
  users.forEach(checkUser)
}

function checkUser(user: unknown): void {
  const { id, name, email, age, created_at: created } = user as Record<string, unknown>
  const isRight = /^[0-9a-f-]{36}$/i.test(String(id)) && String(email).includes('@')
  if (!isRight || typeof name !== 'string' || Number(age) < 18 || Number.isNaN(Date.parse(String(created))))
    throw new Error(`its body is no user: ${JSON.stringify(user)}`)
}
