import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import type { Schema } from '../../../../src/engine/schema/schema.ts'
import { described, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const objectOf = (title: string, properties: Record<string, Schema>): Schema => ({
  title,
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const Feed = objectOf('Feed', { id: text, name: text, group_id: text })
const Group = objectOf('Group', { id: text, name: text })
const many = (items: Schema) => json(200, { type: 'array', items })

interface Item {
  readonly id: string
  readonly group_id: string
}

it('shows and makes items below others that are of the same collection above', async () => {
  const takes = { type: 'object', properties: { name: text } }
  const app = statefulGatewayOf(
    [
      described('GET', '/users/{user}/groups', [many(Group)]),
      described('GET', '/users/{user}/groups/{group_id}', [json(200, Group)]),
      described('GET', '/users/{user}/feeds', [many(Feed)]),
      described('GET', '/users/{user}/feeds/{feed_id}', [json(200, Feed)]),
      described('GET', '/users/{user}/groups/{group_id}/feeds', [many(Feed)]),
      described('POST', '/users/{user}/groups/{group_id}/feeds', [json(201, Feed)], { takes }),
    ],
    { stateful: true },
  )
  open.push(app)
  const listed = async (url: string): Promise<Item[]> => (await app.inject(url)).json<Item[]>()
  const [group] = await listed('/users/ada/groups')
  const url = `/users/ada/groups/${group?.id}/feeds`
  for (const user of ['ada', 'bob'])
    for (const feed of await listed(`/users/${user}/groups/${group?.id}/feeds`))
      expect((await app.inject(`/users/${user}/feeds/${feed.id}`)).json()).toEqual(feed)
  const made = (await app.inject({ method: 'POST', url, payload: { name: 'New' } })).json<Item>()
  expect(made).toMatchObject({ name: 'New', group_id: group?.id })
  expect((await app.inject(`/users/ada/feeds/${made.id}`)).json()).toEqual(made)
  for (const path of [url, '/users/ada/feeds']) expect(await listed(path)).toContainEqual(made)
})

it('gives items ids of their own where another field names them, and the path calls what is above `id`', async () => {
  const User = objectOf('User', { id: { type: 'integer' }, login: text })
  const app = statefulGatewayOf([
    described('GET', '/teams/{id}', [json(200, objectOf('Team', { id: { type: 'integer' }, name: text }))]),
    described('GET', '/teams/{id}/members', [many(User)]),
    described('GET', '/teams/{id}/members/{username}', [json(200, User)]),
  ])
  open.push(app)
  const members = (await app.inject('/teams/7/members')).json<Item[]>()
  expect(members.length).toBeGreaterThan(1)
  expect(new Set(members.map(({ id }) => id)).size).toBe(members.length)
})
