import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, runCommand, startServer } from '../server.ts'

export const needs = ['keystone-manage', 'keystone-wsgi-public']

const PASSWORD = 'first-secret'

const WHO =
  'refusals by who asks, tokens whose whole request is a secret, and what is listed in the order of ids'
export const short = {
  ...{ 'held out': WHO, checks: WHO, 'by rule': WHO },
  drift: 'a refusal of the one session that the other got for another request',
}

export async function start(directory) {
  const at = (name) => join(directory, name)
  writeFileSync(
    at('keystone.conf'),
    [
      ...['[database]', `connection = sqlite:///${at('keystone.db')}`],
      ...['[fernet_tokens]', `key_repository = ${at('tokens')}`],
      ...['[credential]', `key_repository = ${at('credentials')}`],
      ...['[cache]', 'enabled = false', '[identity]', 'password_hash_rounds = 4', ''],
    ].join('\n'),
  )
  const manage = async (...args) => {
    const config = ['--config-file', at('keystone.conf')]
    const { code, stderr } = await runCommand('keystone-manage', [...config, ...args])
    if (code !== 0) throw new Error(`keystone-manage ${args[0]}: ${stderr.slice(-1000)}`)
  }
  const asRoot = ['--keystone-user', 'root', '--keystone-group', 'root']
  await manage('db_sync')
  // It reads by one connection while it writes by another.
  await runCommand('/usr/bin/python3', [
    ...['-c', 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("PRAGMA journal_mode=WAL")'],
    at('keystone.db'),
  ])
  await manage('fernet_setup', ...asRoot)
  await manage('credential_setup', ...asRoot)
  await manage('bootstrap', '--bootstrap-password', PASSWORD)
  return startServer('keystone-wsgi-public', (port) => ['--host', '127.0.0.1', '--port', String(port)], {
    env: { OS_KEYSTONE_CONFIG_DIR: directory },
    isUp: async (url) => (await fetch(`${url}/v3`)).ok,
  })
}

/** A client as those of OpenStack: it signs in, and shows its token. */
function createClient(base) {
  const anonymous = jsonClient(`${base}/v3`)
  return {
    anonymous,
    root: jsonClient(base),
    with: (token, more = {}) => jsonClient(`${base}/v3`, { 'x-auth-token': token ?? 'none', ...more }),
    signIn: (name, password, project) =>
      anonymous('POST', '/auth/tokens', {
        auth: {
          identity: {
            methods: ['password'],
            password: { user: { name, domain: { id: 'default' }, password } },
          },
          ...(project !== undefined && { scope: { project: { name: project, domain: { id: 'default' } } } }),
        },
      }),
  }
}

const nameOf = ({ name }) => name
const names = (list) => list.map(nameOf).toSorted().join()

export async function session(base, which, check) {
  const client = createClient(base)
  const signIn = async (name, password, project) => {
    const answer = await check(
      project === undefined ? 'sign in' : 'sign in to project',
      () => client.signIn(name, password, project),
      ({ s, b, h }) =>
        s === 201 &&
        h.get('x-subject-token') !== null &&
        b.token.user.name === name &&
        b.token.project?.name === project,
    )
    return answer?.h.get('x-subject-token') ?? undefined
  }
  const badSignIn = (name, password) =>
    check(
      'bad sign in',
      () => client.signIn(name, password),
      ({ s, b }) => s === 401 && b.error.code === 401,
    )
  const token = await signIn('admin', PASSWORD, 'admin')
  const c = client.with(token)
  const one = (path) => path.replace(/s$/, '')
  const steps = {
    signIn,
    badSignIn,
    client,
    create: async (path, fields) =>
      (
        await check(
          `create ${path}`,
          () => c('POST', `/${path}`, { [one(path)]: fields }),
          ({ s, b }) =>
            s === 201 &&
            /^[\da-f]{32}$/.test(b[one(path)].id) &&
            Object.entries(fields).every(
              ([name, value]) => name === 'password' || b[one(path)][name] === value,
            ),
        )
      )?.b?.[one(path)]?.id,
    createAgain: (path, fields) =>
      check(
        `create ${path} again`,
        () => c('POST', `/${path}`, { [one(path)]: fields }),
        ({ s, b }) => s === 409 && b.error.title === 'Conflict',
      ),
    createBad: (path, fields) =>
      check(
        `create bad ${path}`,
        () => c('POST', `/${path}`, { [one(path)]: fields }),
        ({ s }) => s === 400,
      ),
    show: (path, id, wanted) =>
      check(
        `show ${path}`,
        () => c('GET', `/${path}/${id}`),
        ({ s, b }) =>
          s === 200 &&
          b[one(path)].id === id &&
          Object.entries(wanted).every(([name, value]) => b[one(path)][name] === value),
      ),
    showNone: (path, id) =>
      check(
        `show no ${path}`,
        () => c('GET', `/${path}/${id}`),
        ({ s, b }) => s === 404 && b.error.message.includes(id),
      ),
    list: (path, query, wanted) =>
      check(
        `list ${path}`,
        () => c('GET', `/${path}${query}`),
        ({ s, b }) => s === 200 && names(b[path]) === wanted.toSorted().join(),
      ),
    change: (path, id, fields) =>
      check(
        `change ${path}`,
        () => c('PATCH', `/${path}/${id}`, { [one(path)]: fields }),
        ({ s, b }) =>
          s === 200 && Object.entries(fields).every(([name, value]) => b[one(path)][name] === value),
      ),
    changeNone: (path, id, fields) =>
      check(
        `change no ${path}`,
        () => c('PATCH', `/${path}/${id}`, { [one(path)]: fields }),
        ({ s }) => s === 404,
      ),
    remove: (path, id) =>
      check(
        `remove ${path}`,
        () => c('DELETE', `/${path}/${id}`),
        ({ s }) => s === 204,
      ),
    removeNone: (path, id) =>
      check(
        `remove no ${path}`,
        () => c('DELETE', `/${path}/${id}`),
        ({ s }) => s === 404,
      ),
    grant: (project, user, role) =>
      check(
        'grant',
        () => c('PUT', `/projects/${project}/users/${user}/roles/${role}`),
        ({ s }) => s === 204,
      ),
    revoke: (project, user, role) =>
      check(
        'revoke',
        () => c('DELETE', `/projects/${project}/users/${user}/roles/${role}`),
        ({ s }) => s === 204,
      ),
    hasRole: (project, user, role, has) =>
      check(
        has ? 'has role' : 'has not role',
        () => c('HEAD', `/projects/${project}/users/${user}/roles/${role}`),
        ({ s }) => s === (has ? 204 : 404),
      ),
    roles: (project, user, wanted) =>
      check(
        'roles of user',
        () => c('GET', `/projects/${project}/users/${user}/roles`),
        ({ s, b }) => s === 200 && names(b.roles) === wanted.join(),
      ),
    assignments: (user, project, role) =>
      check(
        'assignments',
        () => c('GET', `/role_assignments?user.id=${user}`),
        ({ s, b }) =>
          s === 200 &&
          b.role_assignments.length === 1 &&
          b.role_assignments[0].role.id === role &&
          b.role_assignments[0].scope.project.id === project,
      ),
    join: (group, user) =>
      check(
        'join',
        () => c('PUT', `/groups/${group}/users/${user}`),
        ({ s }) => s === 204,
      ),
    leave: (group, user) =>
      check(
        'leave',
        () => c('DELETE', `/groups/${group}/users/${user}`),
        ({ s }) => s === 204,
      ),
    isMember: (group, user, is) =>
      check(
        is ? 'is member' : 'not a member',
        () => c('HEAD', `/groups/${group}/users/${user}`),
        ({ s }) => s === (is ? 204 : 404),
      ),
    members: (group, wanted) =>
      check(
        'members',
        () => c('GET', `/groups/${group}/users`),
        ({ s, b }) => s === 200 && names(b.users) === wanted.join(),
      ),
    groupsOf: (user, wanted) =>
      check(
        'groups of user',
        () => c('GET', `/users/${user}/groups`),
        ({ s, b }) => s === 200 && names(b.groups) === wanted.join(),
      ),
    endpoints: (service, count) =>
      check(
        'endpoints of service',
        () => c('GET', `/endpoints?service_id=${service}`),
        ({ s, b }) => s === 200 && b.endpoints.length === count,
      ),
    validate: (subject, name) =>
      check(
        'validate token',
        () => client.with(token, { 'x-subject-token': subject ?? 'none' })('GET', '/auth/tokens'),
        ({ s, b }) => s === 200 && b.token.user.name === name,
      ),
    validateNone: (subject) =>
      check(
        'validate no token',
        () => client.with(token, { 'x-subject-token': subject ?? 'none' })('GET', '/auth/tokens'),
        ({ s }) => s === 404,
      ),
    revokeToken: (subject) =>
      check(
        'revoke token',
        () => client.with(token, { 'x-subject-token': subject ?? 'none' })('DELETE', '/auth/tokens'),
        ({ s }) => s === 204,
      ),
    unauthorized: (path) =>
      check(
        'unauthorized',
        () => client.anonymous('GET', path),
        ({ s }) => s === 401,
      ),
    forbidden: (own, path) =>
      check(
        'forbidden',
        () => client.with(own)('GET', path),
        ({ s }) => s === 403,
      ),
    version: () =>
      check(
        'version',
        () => client.anonymous('GET', '/'),
        ({ s, b }) => s === 200 && b.version.id === 'v3.14',
      ),
  }
  await (which === 'A' ? sessionA : sessionB)(steps)
}

async function sessionA(s) {
  await s.version()
  await s.badSignIn('admin', 'guess')
  await s.unauthorized('/projects')
  await s.list('projects', '', ['admin'])
  const shop = await s.create('projects', { name: 'shop', domain_id: 'default', description: 'The shop' })
  const lab = await s.create('projects', { name: 'lab', domain_id: 'default', description: '' })
  await s.createAgain('projects', { name: 'shop', domain_id: 'default' })
  await s.createBad('projects', { description: 'no name' })
  await s.show('projects', shop, { name: 'shop', enabled: true })
  await s.showNone('projects', '0123456789abcdef0123456789abcdef')
  await s.list('projects', '?name=lab', ['lab'])
  await s.list('projects', '', ['admin', 'lab', 'shop'])
  await s.change('projects', lab, { description: 'Trials' })
  await s.show('projects', lab, { description: 'Trials' })
  const ann = await s.create('users', {
    ...{ name: 'ann', domain_id: 'default', password: 'ann-pass', email: 'ann@example.com' },
    default_project_id: shop,
  })
  const bob = await s.create('users', {
    name: 'bob',
    domain_id: 'default',
    password: 'bob-pass',
    email: 'bob@example.com',
  })
  await s.createAgain('users', { name: 'ann', domain_id: 'default', password: 'x' })
  await s.show('users', ann, { name: 'ann', email: 'ann@example.com' })
  await s.list('users', '', ['admin', 'ann', 'bob'])
  await s.list('users', '?name=bob', ['bob'])
  await s.change('users', bob, { enabled: false })
  const seller = await s.create('roles', { name: 'seller' })
  const auditor = await s.create('roles', { name: 'auditor' })
  await s.list('roles', '', ['admin', 'auditor', 'member', 'reader', 'seller'])
  await s.grant(shop, ann, seller)
  await s.grant(shop, ann, auditor)
  await s.hasRole(shop, ann, seller, true)
  await s.hasRole(lab, ann, seller, false)
  await s.roles(shop, ann, ['auditor', 'seller'])
  await s.revoke(shop, ann, auditor)
  await s.roles(shop, ann, ['seller'])
  await s.assignments(ann, shop, seller)
  const own = await s.signIn('ann', 'ann-pass', 'shop')
  await s.validate(own, 'ann')
  await s.forbidden(own, '/users')
  const staff = await s.create('groups', { name: 'staff', domain_id: 'default', description: 'All of us' })
  await s.join(staff, ann)
  await s.join(staff, bob)
  await s.members(staff, ['ann', 'bob'])
  await s.isMember(staff, ann, true)
  await s.leave(staff, bob)
  await s.isMember(staff, bob, false)
  await s.groupsOf(ann, ['staff'])
  const store = await s.create('services', { name: 'swift', type: 'object-store', description: 'Objects' })
  await s.create('endpoints', { service_id: store, interface: 'public', url: 'http://objects.example/v1' })
  await s.create('endpoints', { service_id: store, interface: 'internal', url: 'http://objects.internal/v1' })
  await s.endpoints(store, 2)
  await s.revokeToken(own)
  await s.validateNone(own)
  await s.remove('users', bob)
  await s.showNone('users', bob)
  await s.removeNone('users', bob)
  await s.changeNone('users', bob, { enabled: true })
  await s.remove('roles', auditor)
  await s.remove('projects', lab)
  await s.list('projects', '', ['admin', 'shop'])
}

async function sessionB(s) {
  const admins = await s.create('groups', { name: 'admins', domain_id: 'default', description: 'Who may' })
  const cyd = await s.create('users', {
    name: 'cyd',
    domain_id: 'default',
    password: 'cyd-pass',
    email: 'cyd@example.org',
  })
  const dan = await s.create('users', {
    name: 'dan',
    domain_id: 'default',
    password: 'dan-pass',
    email: 'dan@example.org',
  })
  await s.join(admins, dan)
  await s.isMember(admins, cyd, false)
  await s.isMember(admins, dan, true)
  await s.members(admins, ['dan'])
  await s.groupsOf(dan, ['admins'])
  await s.list('users', '?name=dan', ['dan'])
  await s.list('users', '', ['admin', 'cyd', 'dan'])
  await s.unauthorized('/users')
  const ship = await s.create('projects', { name: 'ship', domain_id: 'default', description: 'Shipping' })
  const docs = await s.create('projects', { name: 'docs', domain_id: 'default', description: 'Texts' })
  const temp = await s.create('projects', { name: 'temp', domain_id: 'default', description: '' })
  await s.list('projects', '', ['admin', 'docs', 'ship', 'temp'])
  await s.list('projects', '?name=docs', ['docs'])
  await s.createAgain('projects', { name: 'docs', domain_id: 'default' })
  await s.createBad('projects', { description: 'nameless' })
  await s.change('projects', docs, { description: 'All texts', enabled: false })
  await s.show('projects', docs, { description: 'All texts', enabled: false })
  await s.remove('projects', temp)
  await s.showNone('projects', temp)
  await s.removeNone('projects', temp)
  const writer = await s.create('roles', { name: 'writer' })
  await s.hasRole(ship, cyd, writer, false)
  await s.grant(ship, cyd, writer)
  await s.hasRole(ship, cyd, writer, true)
  await s.assignments(cyd, ship, writer)
  await s.roles(ship, cyd, ['writer'])
  const own = await s.signIn('cyd', 'cyd-pass', 'ship')
  await s.validate(own, 'cyd')
  await s.forbidden(own, '/users')
  await s.badSignIn('dan', 'guess')
  await s.change('users', dan, { email: 'dan@example.net' })
  await s.show('users', dan, { email: 'dan@example.net', name: 'dan' })
  await s.createAgain('users', { name: 'cyd', domain_id: 'default', password: 'y' })
  const queue = await s.create('services', { name: 'zaqar', type: 'messaging', description: 'Queues' })
  await s.create('endpoints', { service_id: queue, interface: 'public', url: 'http://queues.example/v2' })
  await s.endpoints(queue, 1)
  await s.leave(admins, dan)
  await s.members(admins, [])
  await s.revokeToken(own)
  await s.validateNone(own)
  await s.revoke(ship, cyd, writer)
  await s.hasRole(ship, cyd, writer, false)
  await s.remove('users', dan)
  await s.showNone('users', dan)
  await s.showNone('projects', 'fedcba9876543210fedcba9876543210')
  await s.changeNone('users', dan, { enabled: true })
  await s.list('users', '', ['admin', 'cyd'])
  await s.remove('groups', admins)
  await s.list('projects', '', ['admin', 'docs', 'ship'])
}
