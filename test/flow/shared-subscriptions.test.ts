import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createGateway } from '../../src/gateway.ts'
import { loadApi } from '../../src/loaders/load-target.ts'
import { hasRedis, sharedRedis } from '../state/redis-server.ts'
import { atEnd } from '../at-end.ts'
import { send, serve, type Served } from './kit.ts'

const redis = sharedRedis()

async function open(state?: { url: string; name: string; gateway: string }): Promise<Served> {
  const file = join(import.meta.dirname, '../graphql/shop.graphql')
  const { api } = await loadApi(file, 'served', undefined, { options: { seed: 1 } })
  return serve(createGateway({ ...api.gatewayOptions(), state }))
}

const SUBSCRIPTIONS = [
  'subscription { userCreated { id name posts { title } } }',
  'subscription { postAdded(authorId: 2) { title author { id name } } }',
  'subscription { userDeleted { id } }',
]
const MUTATIONS = [
  'createUser(input: { name: "Ada" }) { id }',
  'createPost(title: "Hers", authorId: 2) { id }',
  'createPost(title: "Of another", authorId: 3) { id }',
  'createUser(input: { name: "Bo" }) { id }',
  'updateUser(id: 2, input: { name: "Cy" }) { id }',
  'createPost(title: "Hers again", authorId: 2) { id }',
  'deleteUser(id: 3)',
]

/** What a subscription answers as events, so many of them. It has begun when this is there. */
async function subscribe(
  { url }: Served,
  query: string,
  session: string,
): Promise<(count: number) => Promise<readonly string[]>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    body: JSON.stringify({ query }),
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'x-sim-session': session,
    },
  })
  expect(response.status).toBe(200)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  atEnd(() => reader?.cancel())
  let text = ''
  const events = (): string[] => [...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data]) => data as string)
  return async (count) => {
    while (events().length < count) text += (await reader?.read())?.value ?? ''
    return events()
  }
}

const mutate = (gateway: Served | undefined, mutation: string, session: string) =>
  send('POST', `${gateway?.url}/graphql`, { query: `mutation { ${mutation} }` }, { 'x-sim-session': session })

describe.skipIf(!hasRedis)('subscriptions of gateways that share a state', () => {
  it('hear of what mutations change by whichever gateway, as with one', async () => {
    const { unixUrl: url } = await redis.server()
    const alone = await open()
    const all = [
      await open({ url, name: 'events', gateway: 'a' }),
      await open({ url, name: 'events', gateway: 'b' }),
      await open({ url, name: 'events', gateway: 'c' }),
    ] as const
    const begin = (gateway: Served): ReturnType<typeof subscribe>[] =>
      SUBSCRIPTIONS.map((query) => subscribe(gateway, query, 'own'))
    const own = await Promise.all(begin(alone))
    const others = await Promise.all(all.map(async (each) => Promise.all(begin(each))))
    const stranger = await subscribe(all[1], 'subscription { userCreated { name } }', 'another')
    for (const [index, mutation] of MUTATIONS.entries()) {
      const answer = await mutate(all[index % 3], mutation, 'own')
      expect(answer.body).toEqual((await mutate(alone, mutation, 'own')).body)
      // Each answer shows what there is by then, so that what comes after it must wait.
      const created = MUTATIONS.slice(0, index + 1).filter((each) => each.startsWith('createUser')).length
      for (const [users] of others) await users?.(created)
      const posts = MUTATIONS.slice(0, index + 1).filter((each) => each.includes('authorId: 2')).length
      for (const [, added] of others) await added?.(posts)
    }
    for (const [at, count] of [2, 2, 1].entries()) {
      const wanted = await own[at]?.(count)
      for (const each of others) expect(await each[at]?.(count)).toEqual(wanted)
    }
    await mutate(all[2], 'createUser(input: { name: "Di" }) { id }', 'another')
    expect(await stranger(1)).toEqual(['{"data":{"userCreated":{"name":"Di"}}}'])
  })

  it('arrive by a WebSocket, and end when their client ends them', async () => {
    const { unixUrl: url } = await redis.server()
    const [a, b] = [
      await open({ url, name: 'sockets', gateway: 'a' }),
      await open({ url, name: 'sockets', gateway: 'b' }),
    ] as const
    const client = createClient({ url: `${b.url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket })
    atEnd(() => client.dispose())
    const created = client.iterate({ query: 'subscription { userCreated { name } }' })
    const heard = created.next()
    await client.iterate({ query: '{ users { id } }' }).next()
    await mutate(a, 'createUser(input: { name: "Ada" }) { id }', '')
    expect(await heard).toMatchObject({ value: { data: { userCreated: { name: 'Ada' } } } })
    expect(await created.return?.()).toMatchObject({ done: true })
  })
})
