import { expect, it } from 'vitest'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { toRouteFile } from '../../../src/recording/inference/to-route-file.ts'
import { type Entry, samplesOf } from './samples.ts'

const post = (id: number) => ({ id, title: `post ${id}` })
const comment = (id: number, postId: number) => ({ id, text: `comment ${id}`, postId })
const COMMENTS = [comment(1, 1), comment(2, 1), comment(3, 2)]

type Named = Readonly<Record<string, unknown>>

function itemsOf(entries: readonly Entry[]): Readonly<Record<'embeds' | 'models', Named>> {
  const { document } = toRouteFile(inferRoutes(samplesOf(...entries)))
  const routes = document['routes'] as Record<string, { readonly item?: { readonly embeds?: unknown } }>
  const embeds = Object.fromEntries(Object.entries(routes).map(([key, { item }]) => [key, item?.embeds]))
  return { embeds, models: document['models'] as Named }
}

it('finds what the query has items show of those that refer to them, and that they refer to', () => {
  const { embeds } = itemsOf([
    ['GET /posts', { response: [post(1), post(2)] }],
    ['GET /comments', { response: COMMENTS }],
    ['GET /posts/1', { response: post(1) }],
    ['GET /posts/1?_embed=comments', { response: { ...post(1), comments: COMMENTS.slice(0, 2) } }],
    ['GET /posts/2?_embed=comments', { response: { ...post(2), comments: COMMENTS.slice(2) } }],
    ['GET /comments/1', { response: COMMENTS[0] }],
    ['GET /comments/3?_embed=post', { response: { ...comment(3, 2), post: post(2) } }],
    ['POST /posts', { status: 201, body: { title: 'post 3' }, response: post(3) }],
  ])
  const comments = { at: '/comments', by: 'postId', list: true }
  const parent = { at: '/posts', by: 'id', from: 'postId' }
  const ofPosts = { parameter: '_embed', members: { comments } }
  const ofComments = { parameter: '_embed', members: { post: parent } }
  expect(embeds).toEqual({
    'GET /comments': ofComments,
    'GET /comments/{id}': ofComments,
    'GET /posts': ofPosts,
    'GET /posts/{id}': ofPosts,
    'POST /posts': undefined,
  })
})

it('finds that members of one path are named by parameters of their own', () => {
  const shop = (id: number) => ({ id, city: `city ${id}` })
  const sale = (id: number, shopId: number) => ({ id, title: `sale ${id}`, shopId })
  const line = (id: number, saleId: number) => ({ id, text: `line ${id}`, saleId })
  const whole = (id: number, shopId: number, lines: readonly object[]) => ({ ...sale(id, shopId), lines })
  const { embeds } = itemsOf([
    ['GET /shops', { response: [shop(1), shop(2)] }],
    ['GET /shops/1', { response: shop(1) }],
    ['GET /lines', { response: [line(1, 1), line(2, 1), line(3, 2)] }],
    ['GET /lines/2', { response: line(2, 1) }],
    ['GET /sales', { response: [sale(1, 2), sale(2, 1)] }],
    ['GET /sales/1', { response: sale(1, 2) }],
    ['GET /sales/1?_embed=lines', { response: whole(1, 2, [line(1, 1), line(2, 1)]) }],
    ['GET /sales/2?_expand=shop', { response: { ...sale(2, 1), shop: shop(1) } }],
    [
      'GET /sales?_expand=shop&_embed=lines&shopId=1',
      { response: [{ ...whole(2, 1, [line(3, 2)]), shop: shop(1) }] },
    ],
  ])
  const members = {
    lines: { at: '/lines', by: 'saleId', list: true },
    shop: { at: '/shops', by: 'id', from: 'shopId', parameter: '_expand' },
  }
  expect(embeds).toMatchObject({
    'GET /sales': { parameter: '_embed', members },
    'GET /sales/{id}': { parameter: '_embed', members },
  })
})

it('finds what stands in place of a reference unless the query says otherwise', () => {
  const pet = (id: number, owner: unknown) => ({ id, name: `pet ${id}`, owner })
  const owner = (id: number) => ({ id, city: `city ${id}` })
  const { embeds, models } = itemsOf([
    ['GET /owners', { response: [owner(1), owner(2)] }],
    ['GET /owners/1', { response: owner(1) }],
    ['POST /pets', { status: 201, body: { name: 'pet 1', owner: 2 }, response: pet(1, 2) }],
    ['GET /pets', { response: [pet(1, owner(2))] }],
    ['GET /pets/1', { response: pet(1, owner(2)) }],
    ['GET /pets/1?populate=false', { response: pet(1, 2) }],
  ])
  const member = { at: '/owners', by: 'id', from: 'owner' }
  const ofPets = { parameter: 'populate', always: true, members: { owner: member } }
  expect(embeds).toMatchObject({ 'GET /pets': ofPets, 'GET /pets/{id}': ofPets })
  expect(embeds['POST /pets']).toBeUndefined()
  expect(models['Pet']).toMatchObject({ properties: { owner: { type: ['number', 'null', 'object'] } } })
})

it('finds which fields are shown within others, and which parameter names those of the one item', () => {
  const owner = (id: number) => ({ id, name: `owner ${id}`, city: `city ${id}` })
  const pet = (id: number, of: unknown) => ({ id, title: `pet ${id}`, age: id * 2, owner: of })
  const { document } = toRouteFile(
    inferRoutes(
      samplesOf(
        ['GET /owners', { response: [owner(1), owner(2)] }],
        ['GET /owners/1', { response: owner(1) }],
        ['GET /pets', { response: [pet(1, 1), pet(2, 2)] }],
        ['POST /pets', { status: 201, body: { title: 'pet 3', age: 6, owner: 2 }, response: pet(3, 2) }],
        ['GET /pets/1', { response: pet(1, 1) }],
        ['GET /pets/1?populate=owner', { response: pet(1, { id: 1, name: 'owner 1' }) }],
        ['GET /pets/3?populate=owner', { response: pet(3, { id: 2, name: 'owner 2' }) }],
        ['GET /pets/3?fields=title', { response: { title: 'pet 3' } }],
      ),
    ),
  )
  const member = { at: '/owners', by: 'id', from: 'owner', fields: ['id', 'name'] }
  expect(document).toMatchObject({
    routes: {
      'GET /pets/{id}': { item: { embeds: { members: { owner: member } } }, select: { fields: 'fields' } },
    },
  })
})

it('finds a parameter that names members within JSON', () => {
  const ofAll = `filter=${encodeURIComponent('{"include":"author"}')}`
  const book = (id: number, authorId: number) => ({ id, title: `book ${id}`, authorId })
  const author = (id: number) => ({ id, name: `author ${id}` })
  const { embeds } = itemsOf([
    ['GET /authors', { response: [author(1), author(2)] }],
    ['GET /authors/1', { response: author(1) }],
    ['GET /books', { response: [book(1, 2), book(2, 1)] }],
    ['GET /books/1', { response: book(1, 2) }],
    [
      `GET /books?${ofAll}`,
      { response: [book(1, 2), book(2, 1)].map((each) => ({ ...each, author: author(each.authorId) })) },
    ],
  ])
  const member = { at: '/authors', by: 'id', from: 'authorId' }
  expect(embeds['GET /books']).toEqual({ parameter: 'filter.include', members: { author: member } })
})

it('finds what items show of others whenever one is read, and never in lists', () => {
  const team = (id: number) => ({ id, name: `team ${id}` })
  const player = (id: number, teamId: number | null) => ({ id, title: `player ${id}`, team_id: teamId })
  const shown = (id: number) => ({ id, title: `player ${id}` })
  const badge = (id: number) => ({ id, label: `badge ${id}` })
  const { embeds } = itemsOf([
    ['POST /teams', { status: 201, body: { name: 'team 1' }, response: team(1) }],
    ['POST /teams', { status: 201, body: { name: 'team 2' }, response: team(2) }],
    ['GET /teams', { response: [team(1), team(2)] }],
    ['POST /players', { status: 201, body: { title: 'player 1', team_id: 2 }, response: player(1, 2) }],
    ['POST /players', { status: 201, body: { title: 'player 2', team_id: 1 }, response: player(2, 1) }],
    ['POST /players', { status: 201, body: { title: 'player 3' }, response: player(3, null) }],
    ['POST /players/1/badges', { status: 201, body: { label: 'badge 7' }, response: badge(7) }],
    ['GET /players/1/badges', { response: [badge(7)] }],
    ['GET /players/1/badges/7', { response: badge(7) }],
    ['GET /players', { response: [player(1, 2), player(2, 1), player(3, null)] }],
    ['GET /players/1', { response: { ...player(1, 2), team: team(2), badges: [badge(7)] } }],
    ['GET /players/2', { response: { ...player(2, 1), team: team(1), badges: [] } }],
    ['GET /players/3', { response: { ...player(3, null), team: null, badges: [] } }],
    ['GET /teams/1', { response: { ...team(1), players: [shown(2)] } }],
    ['GET /teams/2', { response: { ...team(2), players: [shown(1)] } }],
  ])
  const ofHeroes = {
    team: { at: '/teams', by: 'id', from: 'team_id', orNull: true },
    badges: { at: '/players/{player_id}/badges', by: 'player_id', list: true },
  }
  const players = { at: '/players', by: 'team_id', list: true, fields: ['id', 'title'] }
  expect(embeds).toMatchObject({
    'GET /players/{id}': { members: ofHeroes },
    'GET /teams/{id}': { members: { players } },
  })
  for (const route of ['GET /players', 'GET /teams', 'POST /players']) expect(embeds[route]).toBeUndefined()
})
