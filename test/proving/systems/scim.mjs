import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import express from 'express'
import SCIMMY from 'scimmy'
import SCIMMYRouters from 'scimmy-routers'
import { jsonClient, listenHere } from '../server.ts'

const { User, Group } = SCIMMY.Resources
const TOKEN = { authorization: 'Bearer t0ken' }
const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'

// What SCIMMY leaves to its user: to keep what it parsed.
function keep(type, uniqueName) {
  const store = new Map()
  type
    .ingress((resource, data) => {
      const { id = randomUUID() } = resource
      if (resource.id !== undefined && !store.has(id))
        throw new SCIMMY.Types.Error(404, null, `${id} not found`)
      for (const [other, each] of store)
        if (other !== id && each[uniqueName] === data[uniqueName])
          throw new SCIMMY.Types.Error(409, 'uniqueness', `${data[uniqueName]} is taken`)
      const created = store.get(id)?.meta.created ?? new Date()
      const kept = { ...JSON.parse(JSON.stringify(data)), id, meta: { created, lastModified: new Date() } }
      store.set(id, kept)
      return kept
    })
    .egress((resource) => {
      if (resource.id === undefined) return resource.filter?.match([...store.values()]) ?? [...store.values()]
      if (!store.has(resource.id)) throw new SCIMMY.Types.Error(404, null, `${resource.id} not found`)
      return store.get(resource.id)
    })
    .degress((resource) => {
      if (!store.delete(resource.id)) throw new SCIMMY.Types.Error(404, null, `${resource.id} not found`)
    })
  if (!SCIMMY.Resources.declared(type)) SCIMMY.Resources.declare(type)
}

export async function start() {
  keep(User, 'userName')
  keep(Group, 'displayName')
  const handler = (request) => {
    if (request.header('authorization') !== TOKEN.authorization)
      throw new Error('Authorization not detected!')
    return 'admin'
  }
  const app = express()
    .use(readNumbers)
    .use('/scim/v2', new SCIMMYRouters({ type: 'bearer', handler }))
  return listenHere(createServer(app))
}

// Express gives texts, and SCIMMY pages by numbers.
function readNumbers(request, _response, next) {
  const read = Object.entries(request.query).map(([name, value]) => [
    name,
    /^\d+$/.test(value) ? Number(value) : value,
  ])
  Object.defineProperty(request, 'query', { value: Object.fromEntries(read) })
  next()
}

const VALUES = {
  A: {
    users: ['ada', 'bob', 'cyd', 'dan', 'eve', 'fay', 'gus'],
    ...{ groups: ['Engineers', 'Writers'], given: 'Augusta', title: 'Countess', none: randomUUID() },
    pages: [
      [1, 3],
      [4, 3],
      [7, 3],
    ],
  },
  B: {
    users: ['hal', 'ivy', 'jon', 'kay', 'lou'],
    ...{ groups: ['Lawyers', 'Bakers', 'Drivers'], given: 'Halina', title: 'Dr', none: randomUUID() },
    pages: [
      [1, 2],
      [3, 2],
      [5, 2],
    ],
  },
}

const userOf = (name, at) => ({
  schemas: [`${CORE}:User`],
  userName: `${name}@example.com`,
  name: { givenName: name, familyName: `Smith${at}` },
  emails: [{ value: `${name}@example.com`, type: 'work', primary: true }],
  active: at % 3 !== 2,
})
const patch = (...Operations) => ({ schemas: [`${MESSAGES}:PatchOp`], Operations })

export async function session(base, which, check) {
  const { users, groups, given, title, none, pages } = VALUES[which]
  const call = jsonClient(`${base}/scim/v2`, TOKEN)
  const find = (type, query) => call('GET', `/${type}?${new URLSearchParams(query)}`)
  await check(
    'no token',
    () => jsonClient(`${base}/scim/v2`)('GET', '/Users'),
    ({ s, b }) => s === 401 && b.status === '401',
  )
  await check(
    'config',
    () => call('GET', '/ServiceProviderConfig'),
    ({ b }) => b.patch.supported === true,
  )
  await check(
    'types',
    () => call('GET', '/ResourceTypes'),
    ({ b }) => b.totalResults === 2,
  )
  await check(
    'schema',
    () => call('GET', `/Schemas/${CORE}:${which === 'A' ? 'User' : 'Group'}`),
    ({ b }) => b.attributes.length > 1,
  )
  await check(
    'no users',
    () => call('GET', '/Users'),
    ({ b }) => b.totalResults === 0,
  )
  const ids = []
  for (const [at, name] of users.entries()) {
    const made = await check(
      'create',
      () => call('POST', '/Users', userOf(name, at)),
      ({ s, b }) => s === 201 && b.userName === `${name}@example.com` && b.meta.location.endsWith(b.id),
    )
    ids.push(made?.b.id)
  }
  await check(
    'create again',
    () => call('POST', '/Users', userOf(users[1], 9)),
    ({ s, b }) => s === 409 && b.scimType === 'uniqueness',
  )
  await check(
    'create nameless',
    () => call('POST', '/Users', { schemas: [`${CORE}:User`], active: true }),
    ({ s, b }) => s === 400 && b.scimType === 'invalidValue',
  )
  for (const [at, id] of [...ids.entries()].slice(1, 4))
    await check(
      'read',
      () => call('GET', `/Users/${id}`),
      ({ s, b }) => s === 200 && b.name.familyName === `Smith${at}`,
    )
  await check(
    'read none',
    () => call('GET', `/Users/${none}`),
    ({ s, b }) => s === 404 && b.schemas[0] === `${MESSAGES}:Error`,
  )
  await check(
    'list',
    () => call('GET', '/Users'),
    ({ b }) => b.totalResults === users.length && b.Resources.length === users.length,
  )
  for (const [startIndex, count] of pages)
    await check(
      'page',
      () => find('Users', { startIndex, count }),
      ({ b }) =>
        b.totalResults === users.length &&
        b.Resources.length === Math.min(count, users.length - startIndex + 1) &&
        b.Resources[0].userName === `${users[startIndex - 1]}@example.com`,
    )
  for (const name of [users[0], users[3], 'nobody'])
    await check(
      'filter',
      () => find('Users', { filter: `userName eq "${name}@example.com"` }),
      ({ b }) =>
        name === 'nobody'
          ? b.totalResults === 0
          : b.totalResults === 1 && b.Resources[0].name.givenName === name,
    )
  await check(
    'filter inactive',
    () => find('Users', { filter: 'active eq false' }),
    ({ b }) =>
      b.Resources.every(({ active }) => !active) &&
      b.totalResults === users.filter((_, at) => at % 3 === 2).length,
  )
  await check(
    'filter prefix',
    () => find('Users', { filter: `name.givenName sw "${users[2].slice(0, 2)}"` }),
    ({ b }) => b.totalResults === 1 && b.Resources[0].id === ids[2],
  )
  await check(
    'bad filter',
    () => find('Users', { filter: which === 'A' ? 'title xx 1' : 'active xx 2' }),
    ({ s, b }) => s === 400 && b.scimType === 'invalidFilter',
  )
  await check(
    'some attributes',
    () => find('Users', { attributes: 'userName' }),
    ({ b }) => b.Resources.every((each) => each.emails === undefined && each.userName !== undefined),
  )
  await check(
    'sort',
    () => find('Users', { sortBy: 'userName', sortOrder: 'descending' }),
    ({ b }) => b.Resources[0].userName === `${users.at(-1)}@example.com`,
  )
  await check(
    'replace',
    () =>
      call('PUT', `/Users/${ids[0]}`, {
        ...userOf(users[0], 0),
        id: ids[0],
        name: { givenName: given, familyName: 'King' },
      }),
    ({ s, b }) => s === 200 && b.name.givenName === given,
  )
  await check(
    'read',
    () => call('GET', `/Users/${ids[0]}`),
    ({ b }) => b.name.givenName === given,
  )
  await check(
    'patch title',
    () => call('PATCH', `/Users/${ids[1]}`, patch({ op: 'add', path: 'title', value: title })),
    ({ s, b }) => s === 200 && b.title === title,
  )
  await check(
    'patch active',
    () => call('PATCH', `/Users/${ids[3]}`, patch({ op: 'replace', path: 'active', value: false })),
    ({ s, b }) => s === 200 && b.active === false,
  )
  await check(
    'patch none',
    () => call('PATCH', `/Users/${none}`, patch({ op: 'replace', path: 'active', value: false })),
    ({ s }) => s === 404,
  )
  await check(
    'bad patch',
    () => call('PATCH', `/Users/${ids[2]}`, patch({ op: 'swap', path: 'active', value: false })),
    ({ s, b }) => s === 400 && b.scimType === 'invalidSyntax',
  )
  await check(
    'read patched',
    () => call('GET', `/Users/${ids[3]}`),
    ({ b }) => b.active === false && b.userName === `${users[3]}@example.com`,
  )
  const made = []
  for (const displayName of groups) {
    const group = await check(
      'create group',
      () =>
        call('POST', '/Groups', {
          schemas: [`${CORE}:Group`],
          displayName,
          members: [{ value: ids[0] }, { value: ids[1] }],
        }),
      ({ s, b }) => s === 201 && b.members.length === 2,
    )
    made.push(group?.b.id)
  }
  await check(
    'groups',
    () => call('GET', '/Groups'),
    ({ b }) => b.totalResults === groups.length,
  )
  await check(
    'add member',
    () =>
      call('PATCH', `/Groups/${made[0]}`, patch({ op: 'add', path: 'members', value: [{ value: ids[2] }] })),
    ({ s, b }) => s === 200 && b.members.length === 3,
  )
  await check(
    'read group',
    () => call('GET', `/Groups/${made[1]}`),
    ({ b }) => b.displayName === groups[1],
  )
  await check(
    'filter groups',
    () => find('Groups', { filter: `displayName eq "${groups[1]}"` }),
    ({ b }) => b.Resources[0].id === made[1],
  )
  for (const id of [ids[4], ids[2]])
    await check(
      'delete',
      () => call('DELETE', `/Users/${id}`),
      ({ s }) => s === 204,
    )
  await check(
    'read deleted',
    () => call('GET', `/Users/${ids[4]}`),
    ({ s }) => s === 404,
  )
  await check(
    'delete deleted',
    () => call('DELETE', `/Users/${ids[4]}`),
    ({ s }) => s === 404,
  )
  await check(
    'list after',
    () => call('GET', '/Users'),
    ({ b }) => b.totalResults === users.length - 2,
  )
  await check(
    'delete group',
    () => call('DELETE', `/Groups/${made[0]}`),
    ({ s }) => s === 204,
  )
  await check(
    'no route',
    () => call('GET', '/Devices'),
    ({ s }) => s === 404,
  )
}
