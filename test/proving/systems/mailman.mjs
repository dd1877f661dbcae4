import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../server.ts'

const PYTHON = '/usr/bin/python3'
export const needs = [PYTHON, 'mailman']

const ELSEWHERE =
  'members make users and addresses, are counted in lists, and are listed by two parts of a path at once'
export const short = {
  'held out': ELSEWHERE,
  checks: `${ELSEWHERE}, and settings of a list are known from requests to one alone`,
}

/** The REST API of GNU Mailman, as mailmanclient uses it: forms are sent, JSON comes. */
export function start(directory) {
  const file = join(directory, 'mailman.cfg')
  return startServer(
    PYTHON,
    (port) => {
      mkdirSync(join(directory, 'var'), { recursive: true })
      writeFileSync(
        file,
        [
          '[mailman]',
          'layout: here',
          '[paths.here]',
          `var_dir: ${directory}/var`,
          '[database]',
          `url: sqlite:///${directory}/var/mailman.db`,
          '[webservice]',
          'hostname: 127.0.0.1',
          `port: ${port}`,
          'admin_user: restadmin',
          'admin_pass: restpass',
          '[mta]',
          'incoming: mailman.mta.null.NullMTA',
          '',
        ].join('\n'),
      )
      return ['-c', 'from mailman.bin.runner import main; main()', '-C', file, '-r', 'rest']
    },
    { cwd: directory },
  )
}

const VALUES = {
  A: {
    domains: [
      ['example.com', 'Example'],
      ['lists.example.org', 'Lists'],
      ['old.example.net', 'Old'],
    ],
    lists: [
      ['ant', 0],
      ['bee', 0],
      ['cat', 1],
      ['dog', 1],
      ['eel', 1],
    ],
    people: [
      ['anna@mail.test', 'Anna'],
      ['bert@mail.test', 'Bert'],
      ['cleo@mail.test', 'Cleo'],
      ['dina@mail.test', 'Dina'],
    ],
    description: 'All about ants',
    none: 'none.example.com',
    noMember: '0123456789abcdef0123456789abcdef',
    noDomain: 'nowhere.example.com',
    bans: ['spam@mail.test', 'junk@mail.test'],
    find: 'anna',
    count: 2,
    pages: [1, 2, 3],
  },
  B: {
    domains: [
      ['club.test', 'The club'],
      ['work.test', 'At work'],
      ['home.test', 'Home'],
    ],
    lists: [
      ['news', 1],
      ['chess', 0],
      ['staff', 1],
      ['tennis', 0],
    ],
    people: [
      ['otto@post.test', 'Otto'],
      ['paul@post.test', 'Paul'],
      ['rita@post.test', 'Rita'],
      ['sven@post.test', 'Sven'],
      ['tina@post.test', 'Tina'],
    ],
    description: 'Opening moves',
    none: 'golf.club.test',
    noMember: 'fedcba9876543210fedcba9876543210',
    noDomain: 'pub.test',
    bans: ['troll@post.test'],
    find: 'rita',
    count: 3,
    pages: [1, 2],
  },
}

export async function session(base, which, check) {
  const v = VALUES[which]
  const auth = { authorization: `Basic ${btoa('restadmin:restpass')}` }
  const send = (headers) => async (method, path, fields) => {
    const url = path.startsWith('http') ? path : `${base}/3.1/${path}`
    const form =
      fields &&
      new URLSearchParams(Object.entries(fields).flatMap(([k, w]) => [w].flat().map((x) => [k, String(x)])))
    const response = await fetch(url, { method, headers, ...(form && { body: form }) })
    const text = await response.text()
    return {
      s: response.status,
      b: text !== '' && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
      h: response.headers,
    }
  }
  const c = send(auth)
  const step = (name, method, path, fields, isRight, client = c) =>
    check(name, () => client(method, path, fields), isRight)
  const is =
    (status, more = () => true) =>
    ({ s, b, h }) =>
      s === status && more(b, h)
  const entries = (b) => b.entries ?? []

  const get = (name, path, isRight) => step(name, 'GET', path, undefined, is(200, isRight))
  const absent = (name, path) => step(name, 'GET', path, undefined, is(404))
  const remove = (name, path) => step(name, 'DELETE', path, undefined, is(204))
  const change = (name, path, fields) => step(name, 'PATCH', path, fields, is(204))
  const total =
    (size, more = () => true) =>
    (b) =>
      b.total_size === size && more(b)
  await get('versions', 'system/versions', (b) => b.api_version === '3.1')
  await step('no password', 'GET', 'domains', undefined, is(401), send({}))
  await get(
    'no domains',
    'domains',
    total(0, (b) => b.start === 0),
  )
  const domains = []
  for (const [mail_host, description] of v.domains) {
    const made = await step(
      'create domain',
      'POST',
      'domains',
      { mail_host, description },
      is(201, (_, h) => h.get('location').endsWith(`/domains/${mail_host}`)),
    )
    domains.push(
      (
        await get(
          'domain',
          made?.h.get('location') ?? 'domains/x',
          (b) => b.mail_host === mail_host && b.description === description,
        )
      )?.b,
    )
  }
  await step('domain again', 'POST', 'domains', { mail_host: v.domains[0][0] }, is(400))
  await absent('domain none', `domains/${v.noDomain}`)
  await get(
    'domains',
    'domains',
    total(v.domains.length, (b) => entries(b).some((d) => d.mail_host === v.domains[1][0])),
  )
  await change('change domain', `domains/${v.domains[1][0]}`, { description: 'Changed' })
  await get('domain', `domains/${v.domains[1][0]}`, (b) => b.description === 'Changed')
  const lists = []
  for (const [name, at] of v.lists) {
    const host = v.domains[at][0]
    const made = await step(
      'create list',
      'POST',
      'lists',
      { fqdn_listname: `${name}@${host}` },
      is(201, (_, h) => h.get('location').endsWith(`/lists/${name}.${host}`)),
    )
    lists.push(
      (
        await get(
          'list',
          made?.h.get('location') ?? 'lists/x',
          (b) =>
            b.list_id === `${name}.${host}` &&
            b.fqdn_listname === `${name}@${host}` &&
            b.member_count === 0 &&
            b.mail_host === host &&
            b.list_name === name,
        )
      )?.b,
    )
  }
  const id = (at) => lists[at]?.list_id
  await step(
    'list again',
    'POST',
    'lists',
    { fqdn_listname: `${v.lists[0][0]}@${v.domains[v.lists[0][1]][0]}` },
    is(400),
  )
  await step('list without domain', 'POST', 'lists', { fqdn_listname: `x@${v.noDomain}` }, is(400))
  await step('list without name', 'POST', 'lists', {}, is(400))
  await absent('list none', `lists/${v.none}`)
  await get(
    'lists',
    'lists',
    total(v.lists.length, (b) => v.lists.every(([n]) => entries(b).some((l) => l.list_name === n))),
  )
  for (const page of v.pages)
    await get(
      'page of lists',
      `lists?count=${v.count}&page=${page}`,
      total(
        v.lists.length,
        (b) =>
          b.start === (page - 1) * v.count &&
          entries(b).length === Math.min(v.count, v.lists.length - (page - 1) * v.count),
      ),
    )
  for (const at of [0, 1])
    await get(
      'lists of domain',
      `domains/${v.domains[at][0]}/lists`,
      (b) => b.total_size === v.lists.filter(([, d]) => d === at).length,
    )
  await get('config', `lists/${id(0)}/config`, (b) => b.description === '' && b.list_name === v.lists[0][0])
  await change('change config', `lists/${id(0)}/config`, {
    description: v.description,
    max_message_size: '100',
  })
  await get(
    'config',
    `lists/${id(0)}/config`,
    (b) => b.description === v.description && b.max_message_size === 100,
  )
  await get('setting', `lists/${id(0)}/config/description`, (b) => b.description === v.description)
  await step('bad config', 'PATCH', `lists/${id(0)}/config`, { no_such: 'x' }, is(400))
  await get('list', `lists/${id(0)}`, (b) => b.description === v.description)

  const members = []
  const subscribe = async (at, of, role) => {
    const [subscriber, display_name] = v.people[of]
    const made = await step(
      'subscribe',
      'POST',
      'members',
      {
        list_id: id(at),
        subscriber,
        display_name,
        pre_verified: true,
        pre_confirmed: true,
        pre_approved: true,
        ...(role && { role }),
      },
      is(201, (_, h) => /members\/[0-9a-f]{32}$/.test(h.get('location'))),
    )
    const member = (
      await get(
        'member',
        made?.h.get('location') ?? 'members/x',
        (b) => b.email === subscriber && b.list_id === id(at) && b.role === (role ?? 'member'),
      )
    )?.b
    members.push(member)
    return member
  }
  for (const of of v.people.keys()) await subscribe(0, of)
  await subscribe(1, 0)
  await subscribe(1, 2, 'owner')
  await subscribe(2, 1)
  await step(
    'subscribe again',
    'POST',
    'members',
    {
      list_id: id(0),
      subscriber: v.people[0][0],
      pre_verified: true,
      pre_confirmed: true,
      pre_approved: true,
    },
    is(409),
  )
  await step(
    'subscribe to none',
    'POST',
    'members',
    {
      list_id: v.none,
      subscriber: v.people[0][0],
      pre_verified: true,
      pre_confirmed: true,
      pre_approved: true,
    },
    is(400),
  )
  await absent('member none', `members/${v.noMember}`)
  await get('members', 'members', total(v.people.length + 3))
  await get(
    'roster',
    `lists/${id(0)}/roster/member`,
    total(v.people.length, (b) => entries(b).every((m) => m.list_id === id(0))),
  )
  await get(
    'roster',
    `lists/${id(1)}/roster/member`,
    total(1, (b) => entries(b)[0].email === v.people[0][0]),
  )
  await get(
    'roster of owners',
    `lists/${id(1)}/roster/owner`,
    total(1, (b) => entries(b)[0].email === v.people[2][0]),
  )
  await get(
    'member of list',
    `lists/${id(0)}/member/${v.people[1][0]}`,
    (b) => b.email === v.people[1][0] && b.list_id === id(0),
  )
  await absent('no member of list', `lists/${id(2)}/member/${v.people[2][0]}`)
  await step(
    'find',
    'POST',
    'members/find',
    { subscriber: v.people[0][0] },
    is(200, (b) => b.total_size === 2),
  )
  await step(
    'find',
    'POST',
    'members/find',
    { list_id: id(0), role: 'member' },
    is(200, (b) => b.total_size === v.people.length),
  )
  await get('list', `lists/${id(0)}`, (b) => b.member_count === v.people.length)
  await change('change member', `members/${members[1]?.member_id}`, { delivery_mode: 'plaintext_digests' })
  await get('member', `members/${members[1]?.member_id}`, (b) => b.delivery_mode === 'plaintext_digests')
  await get('preferences', `members/${members[0]?.member_id}/preferences`)
  await change('change preferences', `members/${members[0]?.member_id}/preferences`, {
    acknowledge_posts: true,
  })
  await get(
    'preferences',
    `members/${members[0]?.member_id}/preferences`,
    (b) => b.acknowledge_posts === true,
  )
  await remove('unsubscribe', `members/${members[2]?.member_id}`)
  await absent('unsubscribed', `members/${members[2]?.member_id}`)
  await step('unsubscribe again', 'DELETE', `members/${members[2]?.member_id}`, undefined, is(404))
  await get('roster', `lists/${id(0)}/roster/member`, total(v.people.length - 1))
  await get('list', `lists/${id(0)}`, (b) => b.member_count === v.people.length - 1)

  await get('users', 'users', total(v.people.length))
  const user = members[0]?.user?.split('/').at(-1)
  await get('user', `users/${user}`, (b) => b.display_name === v.people[0][1])
  await get('user by address', `users/${v.people[1][0]}`, (b) => b.display_name === v.people[1][1])
  await get(
    'addresses of user',
    `users/${user}/addresses`,
    total(1, (b) => entries(b)[0].email === v.people[0][0]),
  )
  await change('change user', `users/${user}`, { display_name: 'Renamed' })
  await get('user', `users/${user}`, (b) => b.display_name === 'Renamed')
  await absent('user none', `users/${v.noMember}`)
  await get(
    'address',
    `addresses/${v.people[3][0]}`,
    (b) => b.email === v.people[3][0] && b.display_name === v.people[3][1],
  )
  await get('memberships', `addresses/${v.people[0][0]}/memberships`, total(2))

  await get('no bans', `lists/${id(0)}/bans`, total(0))
  for (const email of v.bans) await step('ban', 'POST', `lists/${id(0)}/bans`, { email }, is(201))
  await get(
    'bans',
    `lists/${id(0)}/bans`,
    total(v.bans.length, (b) => entries(b)[0].email === v.bans.toSorted()[0]),
  )
  await get('ban read', `lists/${id(0)}/bans/${v.bans[0]}`, (b) => b.email === v.bans[0])
  await remove('unban', `lists/${id(0)}/bans/${v.bans[0]}`)
  await absent('unbanned', `lists/${id(0)}/bans/${v.bans[0]}`)
  await remove('delete list', `lists/${id(2)}`)
  await absent('deleted list', `lists/${id(2)}`)
  await step('delete list again', 'DELETE', `lists/${id(2)}`, undefined, is(404))
  await get('lists', 'lists', total(v.lists.length - 1))
  await remove('delete domain', `domains/${v.domains[2][0]}`)
  await absent('deleted domain', `domains/${v.domains[2][0]}`)
  await get('domains', 'domains', total(v.domains.length - 1))
  await get('members', 'members')
}
