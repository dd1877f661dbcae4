import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { SAID } from '../../../../src/engine/schema/schema.ts'
import { createMemoryStore } from '../../../../src/state/memory-store.ts'
import { described, gatewayOf, inPath, json, query, response, statefulGatewayOf } from '../describing.ts'

type Entry = Record<string, unknown>

const text = { type: 'string' }
const integer = { type: 'integer' }
const User = {
  type: 'object',
  required: ['id', 'email', 'team', 'names'],
  properties: {
    id: integer,
    email: { type: 'string', format: 'email' },
    team: { enum: ['red', 'blue'] },
    names: { type: 'array', items: text, minItems: 2 },
  },
}
const Note = {
  type: 'object',
  required: ['id', 'text', 'user_id'],
  properties: { id: integer, text, user_id: integer },
}
const $defs = { User, Note }
const one = (name: string) => ({ $ref: `#/$defs/${name}`, $defs })
const many = (name: string) => ({ type: 'array', items: { $ref: `#/$defs/${name}` }, $defs })
const gone = json(404, { const: 'none' })
const taken = json(409, { const: 'taken' })
const both = { parameters: [inPath('user_id', integer), inPath('id', integer)] }

const ROUTES = [
  described('GET', '/users', [json(200, many('User'))]),
  described('POST', '/users', [json(201, one('User')), taken], { takes: User }),
  described('GET', '/users/{id}', [json(200, one('User')), gone], { parameters: [inPath('id', integer)] }),
  described('PATCH', '/users/{id}', [json(200, one('User')), taken], {
    parameters: [inPath('id', integer)],
    takes: { type: 'object' },
  }),
  described('GET', '/users/by-email/{email}', [json(200, one('User')), gone]),
  described('GET', '/users/names/{names}', [json(200, one('User')), gone]),
  described('DELETE', '/users/by-email/{email}', [response(204), gone]),
  described('GET', '/users/team/{team}', [json(200, many('User'))]),
  described('GET', '/find-user', [json(200, one('User')), gone], {
    parameters: [{ ...query('userEmail', text), required: true }],
  }),
  described('GET', '/notes', [json(200, many('Note'))]),
  described('GET', '/users/{user_id}/notes', [json(200, many('Note'))], {
    parameters: [inPath('user_id', integer)],
  }),
  described('POST', '/users/{user_id}/notes', [json(201, one('Note'))], {
    parameters: [inPath('user_id', integer)],
    takes: { type: 'object' },
  }),
  described('GET', '/users/{user_id}/notes/{id}', [json(200, one('Note')), gone], both),
]

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

function start(isStateful: boolean, routes = ROUTES) {
  const app = gatewayOf(routes, isStateful ? { stateful: true, store: createMemoryStore() } : {})
  open.push(app)
  return async (path: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE' = 'GET', payload?: Entry) => {
    const { statusCode, body } = await app.inject({ method, url: path, ...(payload && { payload }) })
    return { status: statusCode, body: (body === '' ? undefined : JSON.parse(body)) as never }
  }
}

describe.for([false, true])('what is looked up, stateful %s', (isStateful) => {
  it('is the item that has the value which a path or a query names', async () => {
    const get = start(isStateful)
    const users: Entry[] = (await get('/users')).body
    const user = users[3]
    const email = String(user?.['email'])
    expect((await get(`/users/by-email/${email}`)).body).toEqual(user)
    expect((await get(`/find-user?userEmail=${email}`)).body).toEqual(user)
    const [, name = ''] = (user?.['names'] ?? []) as string[]
    expect((await get(`/users/names/${encodeURIComponent(name)}`)).body).toEqual(user)
    expect((await get('/users/team/red')).body).toEqual(users.filter(({ team }) => team === 'red'))
  })

  it('is a list of what has paths below other items alone', async () => {
    const get = start(isStateful)
    const notes: Entry[] = (await get('/notes')).body
    expect(new Set(notes.map(({ id }) => id)).size).toBe(20)
    const [{ id, user_id: owner } = {}] = notes
    const below: Entry[] = (await get(`/users/${String(owner)}/notes`)).body
    expect(below).toEqual(notes.filter(({ user_id: each }) => each === owner))
    expect((await get(`/users/${String(owner)}/notes/${String(id)}`)).body).toEqual(notes[0])
  })
})

it('has its own id below a parameter of the same name, and paths that end in a slash', async () => {
  const both = { parameters: [inPath('id', integer), inPath('note_id', integer)] }
  const app = gatewayOf([
    described('GET', '/users/', [json(200, many('User'))]),
    described('GET', '/users/{id}/', [json(200, one('User'))], { parameters: [inPath('id', integer)] }),
    described('GET', '/users/{id}/notes/', [json(200, many('Note'))], {
      parameters: [inPath('id', integer)],
    }),
    described('GET', '/users/{id}/notes/{note_id}/', [json(200, one('Note'))], both),
  ])
  open.push(app)
  const get = async (path: string): Promise<unknown> => (await app.inject(path)).json()
  const users = (await get('/users/')) as Entry[]
  expect(await get('/users/3/')).toEqual(users[2])
  const notes = (await get('/users/3/notes/')) as Entry[]
  expect(notes.slice(0, 3).map(({ id, user_id: owner }) => [id, owner])).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ])
  expect(await get('/users/3/notes/2/')).toEqual(notes[1])
})

it('is named by another field below what it belongs to', async () => {
  const Item = {
    type: 'object',
    required: ['id', 'code', 'user_id'],
    properties: { id: { type: 'string', format: 'uuid' }, code: text, user_id: integer },
  }
  const defs = { User, Item }
  const item = { $ref: '#/$defs/Item', $defs: defs }
  const items = { type: 'array', items: { $ref: '#/$defs/Item' }, $defs: defs }
  const owner = inPath('user_id', integer)
  const app = gatewayOf(
    [
      described('GET', '/users', [json(200, many('User'))]),
      described('GET', '/users/{id}', [json(200, one('User')), gone], {
        parameters: [inPath('id', integer)],
      }),
      described('GET', '/items', [json(200, items)]),
      described('GET', '/items/{id}', [json(200, item), gone]),
      described('GET', '/users/{user_id}/items', [json(200, items)], { parameters: [owner] }),
      described('POST', '/users/{user_id}/items', [json(201, item)], {
        parameters: [owner],
        takes: { type: 'object' },
      }),
      described('GET', '/users/{user_id}/items/{item_code}', [json(200, item), gone], {
        parameters: [owner, inPath('item_code')],
      }),
    ],
    { stateful: true, store: createMemoryStore() },
  )
  open.push(app)
  const get = async (path: string): Promise<unknown> => (await app.inject(path)).json()
  const [first] = (await get('/items')) as Entry[]
  const below = `/users/${String(first?.['user_id'])}/items`
  expect(await get(`${below}/${encodeURIComponent(String(first?.['code']))}`)).toEqual(first)
  for (const url of ['/users/1/items', '/users/2/items'])
    await app.inject({ method: 'POST', url, payload: { code: 'both' } })
  expect(await get('/users/2/items/both')).toMatchObject({ code: 'both', user_id: 2 })
  expect(await get('/users/3/items/both')).toBe('none')
})

it('is of any value where nothing is stored, and else 404', async () => {
  const [get, send] = [start(false), start(true)]
  expect((await get('/users/by-email/ada@example.org')).body).toMatchObject({ email: 'ada@example.org' })
  for (const path of ['/users/by-email/ada@example.org', '/find-user?userEmail=ada@example.org'])
    expect(await send(path)).toEqual({ status: 404, body: 'none' })
})

it('follows what is written, and is removed by the value it is looked up by', async () => {
  const send = start(true)
  await send('/users/2', 'PATCH', { email: 'ada@example.org' })
  expect((await send('/users/by-email/ada@example.org')).body).toMatchObject({ id: 2 })
  expect((await send('/users/by-email/ada@example.org', 'DELETE')).status).toBe(204)
  expect(await send('/users/2')).toEqual({ status: 404, body: 'none' })

  const made = await send('/users/3/notes', 'POST', { text: 'New' })
  expect(made).toMatchObject({ status: 201, body: { text: 'New', user_id: 3 } })
  expect((await send('/notes')).body).toContainEqual(made.body)
  const { id } = made.body as Entry
  expect((await send(`/users/3/notes/${String(id)}`)).status).toBe(200)
  expect((await send(`/users/4/notes/${String(id)}`)).status).toBe(404)
})

it('is refused where another item has a value that is unique, and stored once', async () => {
  const send = start(true)
  const users: Entry[] = (await send('/users')).body
  const email = String(users[0]?.['email'])
  const body = { id: 99, email, team: 'red', names: ['a', 'b'] }
  expect(await send('/users', 'POST', body)).toEqual({ status: 409, body: 'taken' })
  expect((await send('/users/2', 'PATCH', { email: email.toUpperCase() })).status).toBe(409)
  expect((await send('/users/1', 'PATCH', { email })).status).toBe(200)
  expect((await send('/users')).body).toHaveLength(users.length)
  expect((await send('/users', 'POST', { ...body, email: 'ada@example.org' })).status).toBe(201)
})

it.each([
  ['A tag with the same label already exists.', 409],
  ['Returned if the sort key is in use', 201],
  ['Conflict', 201],
])('is unique in what its conflict is said to be about: %s', async (description, status) => {
  const Tag = { type: 'object', required: ['id', 'label'], properties: { id: integer, label: text } }
  const routes = [
    described('GET', '/tags', [json(200, { type: 'array', items: Tag })]),
    described('GET', '/tags/{id}', [json(200, Tag), gone], { parameters: [inPath('id', integer)] }),
    described('POST', '/tags', [json(201, Tag), { ...taken, description }], { takes: { type: 'object' } }),
  ]
  const app = statefulGatewayOf(routes, { stateful: true })
  const send = () => app.inject({ method: 'POST', url: '/tags', payload: { label: 'new' } })
  expect((await send()).statusCode).toBe(201)
  expect((await send()).statusCode).toBe(status)
  await app.close()
})

it('is one alone that each path names, by whatever field', async () => {
  const slug = { ...text, 'x-sim-said': { examples: ['justice-league'], defaults: [] } }
  const properties = { id: integer, name: text, slug }
  const Team = { type: 'object', title: 'Team', required: ['id', 'name', 'slug'], properties }
  const inOrg = [inPath('org'), inPath('team_slug')]
  const routes = [
    described('GET', '/teams/{team_id}', [json(200, Team), gone], {
      parameters: [inPath('team_id', integer)],
    }),
    described('GET', '/orgs/{org}/teams', [json(200, { type: 'array', items: Team })], {
      parameters: [inPath('org')],
    }),
    described('POST', '/orgs/{org}/teams', [json(201, Team)], {
      parameters: [inPath('org')],
      takes: { type: 'object', properties: { name: text } },
    }),
    described('GET', '/orgs/{org}/teams/{team_slug}', [json(200, Team), gone], { parameters: inOrg }),
  ]
  const app = statefulGatewayOf(routes, { stateful: true })
  const ask = async (method: 'GET' | 'POST', url: string, payload?: Entry): Promise<unknown> =>
    (await app.inject({ method, url, ...(payload && { payload }) })).json()
  const made = (await ask('POST', '/orgs/acme/teams', { name: 'Night Watch' })) as Entry
  expect(made['slug']).toBe('night-watch')
  expect(await ask('GET', '/orgs/acme/teams/night-watch')).toEqual(made)
  const teams = (await ask('GET', '/orgs/acme/teams')) as Entry[]
  expect(new Set(teams.map((each) => each['slug'])).size).toBe(teams.length)
  for (const team of teams.slice(0, 3))
    expect(await ask('GET', `/orgs/acme/teams/${String(team['slug'])}`)).toEqual(team)
  await app.close()
})

describe('what several fields name', () => {
  const Owner = { type: 'object', required: ['id', 'login'], properties: { id: integer, login: text } }
  const Repo = {
    type: 'object',
    required: ['id', 'name', 'owner'],
    properties: { id: integer, name: text, owner: { $ref: '#/$defs/Owner' } },
  }
  const defs = { Owner, Repo }
  const repo = { $ref: '#/$defs/Repo', $defs: defs }
  const repos = { type: 'array', items: { $ref: '#/$defs/Repo' }, $defs: defs }
  const named = { parameters: [inPath('owner'), inPath('repo')] }
  const issue = { type: 'object', required: ['number'], properties: { number: integer } }
  const routes = [
    described('GET', '/users/{username}', [json(200, { $ref: '#/$defs/Owner', $defs: defs })]),
    described('GET', '/repositories/{id}', [json(200, repo), gone], { parameters: [inPath('id', integer)] }),
    described('GET', '/user/repos', [json(200, repos)]),
    described('POST', '/user/repos', [json(201, repo)], { takes: { type: 'object' } }),
    described('GET', '/repos/{owner}/{repo}', [json(200, repo), gone], named),
    described('DELETE', '/repos/{owner}/{repo}', [response(204), gone], named),
    described('GET', '/repos/{owner}/{repo}/issues', [json(200, { type: 'array', items: issue })], named),
    described('GET', '/repos/{owner}/{repo}/issues/{index}', [json(200, issue), gone]),
  ]
  type Named = { id: number; name: string; owner: { login: string } }

  it.each([{ stateful: false }, { stateful: true }])(
    'is the item that has them all: %o',
    async ({ stateful }) => {
      const app = gatewayOf(routes, stateful ? { stateful, store: createMemoryStore() } : {})
      open.push(app)
      const [first, second] = (await app.inject('/user/repos')).json<Named[]>()
      expect((await app.inject(`/repos/${first?.owner.login}/${first?.name}`)).json()).toEqual(first)
      const other = await app.inject(`/repos/${second?.owner.login}/${first?.name}`)
      expect(other.statusCode).toBe(stateful ? 404 : 200)
    },
  )

  it('is found as it was made, with nothing below it yet, until it is removed', async () => {
    const app = gatewayOf(routes, { stateful: true, store: createMemoryStore() })
    open.push(app)
    const made = await app.inject({ method: 'POST', url: '/user/repos', payload: { name: 'site' } })
    const { owner } = made.json<Named>()
    const url = `/repos/${owner.login}/site`
    expect((await app.inject(url)).json()).toEqual(made.json())
    expect((await app.inject(`${url}/issues`)).json()).toEqual([])
    expect((await app.inject({ method: 'DELETE', url })).statusCode).toBe(204)
    expect((await app.inject('/user/repos')).json<Named[]>().map(({ name }) => name)).not.toContain('site')
  })
})

const said = (example: string) => ({ type: 'string', [SAID]: { examples: [example], defaults: [] } })
const Project = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: said('prj_12ab'), name: said('site') },
}
const inEither = { parameters: [inPath('idOrName', text)] }
const EITHER = [
  described('GET', '/projects', [json(200, { type: 'array', items: Project })]),
  described('GET', '/projects/{idOrName}', [json(200, Project), gone], inEither),
  described('PATCH', '/projects/{idOrName}', [json(200, Project), gone], {
    ...inEither,
    takes: { type: 'object' },
  }),
  described('DELETE', '/projects/{idOrName}', [response(204), gone], inEither),
]

it.for([false, true])('is named by its id or another field, stateful %s', async (isStateful) => {
  const ask = start(isStateful, EITHER)
  const projects: { id: string; name: string }[] = (await ask('/projects')).body
  const { id, name } = projects[2] ?? { id: '', name: '' }
  expect(new Set(projects.map((each) => each.name)).size).toBe(projects.length)
  expect((await ask(`/projects/${id}`)).body).toEqual(projects[2])
  expect((await ask(`/projects/${name}`)).body).toEqual(projects[2])
  expect((await ask('/projects/prj_99zz')).status).toBe(isStateful ? 404 : 200)
  if (!isStateful) return
  expect((await ask(`/projects/${name}`, 'PATCH', { name: 'other' })).body).toEqual({ id, name: 'other' })
  expect((await ask('/projects/other')).body).toEqual({ id, name: 'other' })
  expect((await ask('/projects/other', 'DELETE')).status).toBe(204)
  expect((await ask(`/projects/${id}`)).status).toBe(404)
})
