import { join } from 'node:path'
import { createClient as createSocketClient } from 'graphql-ws'
import { createClient as createEventsClient } from 'graphql-sse'
import { GraphQLClient } from 'graphql-request'
import { Client, fetchExchange } from '@urql/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { FastifyInstance } from 'fastify'
import { createGateway } from '../../src/gateway.ts'
import { loadApi } from '../../src/loaders/load-target.ts'

let app: FastifyInstance
let url: string

beforeAll(async () => {
  const { api } = await loadApi(join(import.meta.dirname, 'shop.graphql'), 'served', undefined, {
    options: { seed: 1 },
  })
  app = createGateway(api.gatewayOptions())
  url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`
})
afterAll(() => app.close())

const CREATE = 'mutation Create($input: CreateUser!) { createUser(input: $input) { id name } }'

it('creates, reads, changes and deletes by graphql-request, and each write shows at once', async () => {
  const client = new GraphQLClient(url)
  const { createUser } = await client.request<{ createUser: { id: string } }>(CREATE, {
    input: { name: 'Ada', role: 'ADMIN' },
  })
  const { id } = createUser
  const read =
    'query Read($id: ID!) { user(id: $id) { name role posts { title } } admins: users(role: ADMIN) { id } }'
  const { user, admins } = await client.request<{ user: object; admins: { id: string }[] }>(read, { id })
  expect(user).toEqual({ name: 'Ada', role: 'ADMIN', posts: [] })
  expect(admins.map((each) => each.id)).toContain(id)
  await client.request('mutation($id: ID!) { createPost(title: "First", authorId: $id) { id } }', { id })
  await client.request('mutation($id: ID!) { updateUser(id: $id, input: { name: "Ada L." }) { id } }', { id })
  expect((await client.request<{ user: object }>(read, { id })).user).toEqual({
    ...{ name: 'Ada L.', role: 'ADMIN', posts: [{ title: 'First' }] },
  })
  expect(await client.request('mutation($id: ID!) { deleteUser(id: $id) }', { id })).toEqual({
    deleteUser: true,
  })
  expect((await client.request<{ user: object }>(read, { id })).user).toBeNull()
  await expect(client.request('mutation($id: ID!) { deleteUser(id: $id) }', { id })).rejects.toThrow(
    /no User with the id/,
  )
})

it('pages a connection by urql without gaps or repetitions, and counts what there is', async () => {
  const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: true })
  const query = `query($after: String) { posts { id comments(first: 1, after: $after) {
    totalCount edges { cursor node { id post { id } } } pageInfo { hasNextPage endCursor } } } }`
  interface Post {
    id: string
    comments: {
      totalCount: number
      edges: { node: { id: string; post: { id: string } } }[]
      pageInfo: { hasNextPage: boolean; endCursor: string }
    }
  }
  const { data } = await client.query<{ posts: Post[] }>(query, {}).toPromise()
  const largest = data?.posts.toSorted((a, b) => b.comments.totalCount - a.comments.totalCount)[0] as Post
  expect(largest.comments.totalCount).toBeGreaterThan(1)
  const seen: string[] = []
  let after: string | null = null
  for (let more = true; more;) {
    const page: { data?: { posts: Post[] } | undefined } = await client
      .query<{ posts: Post[] }>(query, { after })
      .toPromise()
    const posts = page.data?.posts ?? []
    const [
      {
        comments: { edges, pageInfo },
      },
    ] = posts.filter(({ id }) => id === largest.id) as [Post]
    seen.push(...edges.map(({ node }) => node.id))
    expect(edges.every(({ node }) => node.post.id === largest.id)).toBe(true)
    after = pageInfo.endCursor
    more = pageInfo.hasNextPage
  }
  expect(new Set(seen).size).toBe(largest.comments.totalCount)
})

it('pages a connection of what has no ids as well', async () => {
  const client = new GraphQLClient(url)
  interface Views {
    totalCount: number
    nodes: object[]
    edges: { cursor: string; node: object }[]
    pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string }
  }
  const pageOf = async (args: string): Promise<Views> => {
    const page = 'totalCount nodes { country seconds } edges { cursor node { country seconds } }'
    const info = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }'
    const query = `{ post(id: 1) { views${args} { ${page} ${info} } } }`
    return (await client.request<{ post: { views: Views } }>(query)).post.views
  }
  const all = await pageOf('')
  expect(all.nodes).toHaveLength(all.totalCount)
  expect(all.edges.map(({ node }) => node)).toEqual(all.nodes)
  expect(all.totalCount).toBeGreaterThan(1)
  const seen: object[] = []
  for (let after = ''; ;) {
    const { nodes, edges, pageInfo, totalCount } = await pageOf(`(first: 1${after})`)
    expect([nodes.length, totalCount]).toEqual([1, all.totalCount])
    expect([edges[0]?.cursor, edges[0]?.cursor]).toEqual([pageInfo.startCursor, pageInfo.endCursor])
    expect(pageInfo.hasPreviousPage).toBe(seen.length > 0)
    seen.push(...nodes)
    if (!pageInfo.hasNextPage) break
    after = `, after: "${pageInfo.endCursor}"`
  }
  expect(seen).toEqual(all.nodes)
  expect((await pageOf('(last: 1)')).nodes).toEqual(all.nodes.slice(-1))
})

it('changes and deletes what its only id names, whatever that is called and answered with', async () => {
  const client = new GraphQLClient(url)
  const read = (): Promise<{ bookShelves: { id: string; name: string }[] }> =>
    client.request('{ bookShelves { id name } }')
  const [, second, third] = (await read()).bookShelves
  const input = { shelfId: second?.id, name: 'Crime' }
  const rename = 'mutation($input: RenameShelf!) { updateBookShelf(input: $input) { shelf { id name } } }'
  expect(await client.request(rename, { input })).toEqual({
    updateBookShelf: { shelf: { id: second?.id, name: 'Crime' } },
  })
  await client.request('mutation($id: ID!) { deleteBookShelf(shelfId: $id) { owner { id } } }', {
    id: third?.id,
  })
  const { bookShelves } = await read()
  expect(bookShelves.find(({ id }) => id === second?.id)?.name).toBe('Crime')
  expect(bookShelves.some(({ id }) => id === third?.id)).toBe(false)
})

it('reports changes by graphql-ws, and of those alone that are watched', async () => {
  const client = createSocketClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket })
  const next = async <Data>(
    iterator: AsyncIterableIterator<{ data?: Data | null }>,
  ): Promise<Data | null | undefined> => ((await iterator.next()).value as { data?: Data | null }).data
  const created = client.iterate({ query: 'subscription { userCreated { id name } }' })
  const added = client.iterate({ query: 'subscription { postAdded(authorId: 2) { title author { id } } }' })
  const heard = Promise.all([next(created), next(added)])
  // The socket's operations begin in order, so that what comes after them on it comes after they have begun.
  const mutate = async (query: string): Promise<void> => void (await next(client.iterate({ query })))
  await mutate('mutation { createPost(title: "Of another", authorId: 3) { id } }')
  await mutate('mutation { createPost(title: "Of hers", authorId: 2) { id } }')
  await mutate('mutation { createUser(input: { name: "Bo" }) { id } }')
  expect(await heard).toMatchObject([
    { userCreated: { name: 'Bo' } },
    { postAdded: { title: 'Of hers', author: { id: '2' } } },
  ])
  await client.dispose()
})

it('reports changes by graphql-sse, and ends with the error of what is not in the schema', async () => {
  const client = createEventsClient({ url, retryAttempts: 0 })
  const deleted = client.iterate<{ userDeleted: { id: string } }>({
    query: 'subscription { userDeleted { id } }',
  })
  const heard = deleted.next()
  const requests = new GraphQLClient(url)
  await expect
    .poll(async () => {
      const made = await requests.request<{ createUser: { id: string } }>(CREATE, { input: { name: 'Cy' } })
      await requests.request('mutation($id: ID!) { deleteUser(id: $id) }', made.createUser)
      return Promise.race([heard, Promise.resolve(undefined)])
    })
    .toMatchObject({ value: { data: { userDeleted: { id: expect.any(String) as string } } } })
  await deleted.return?.()
  const wrong = client.iterate({ query: 'subscription { nothing { id } }' })
  await expect(wrong.next()).rejects.toBeDefined()
  client.dispose()
})
