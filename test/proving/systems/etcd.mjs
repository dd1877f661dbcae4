import { freePort } from '../../free-port.ts'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['etcd']

export async function start(directory) {
  const peer = `http://127.0.0.1:${await freePort()}`
  const args = (port) => {
    const client = `http://127.0.0.1:${port}`
    return [
      ...['--data-dir', `${directory}/data`, '--log-level', 'error'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `default=${peer}`],
    ]
  }
  // Up once a leader is elected.
  const isUp = async (url) => (await clientOf(url).call('kv/range', { key: 'YQ==' })).header !== undefined
  return startServer('etcd', args, { isUp })
}

const encoded = (text) => Buffer.from(text).toString('base64')
const decoded = (value) => Buffer.from(value ?? '', 'base64').toString()
const after = (prefix) => prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)

/** The client's calls by JSON, as gRPC-gateway has them. */
function clientOf(base) {
  const post = jsonClient(base)
  const call = async (path, input) => {
    const { s, b } = await post('POST', `/v3/${path}`, input)
    if (s >= 400) throw Object.assign(new Error(b.message ?? String(b)), { status: s })
    return b.result ?? b
  }
  const all = (prefix) => ({ key: encoded(prefix), range_end: encoded(after(prefix)) })
  return {
    call,
    put: (key, value, more) => call('kv/put', { key: encoded(key), value: encoded(value), ...more }),
    get: (key, more) => call('kv/range', { key: encoded(key), ...more }),
    list: (prefix, more) => call('kv/range', { ...all(prefix), ...more }),
    remove: (key, more) => call('kv/deleterange', { key: encoded(key), ...more }),
    removeAll: (prefix, more) => call('kv/deleterange', { ...all(prefix), ...more }),
    putIf: (compare, key, value) =>
      call('kv/txn', {
        compare: [{ key: encoded(key), ...compare }],
        success: [{ request_put: { key: encoded(key), value: encoded(value) } }],
        failure: [{ request_range: { key: encoded(key) } }],
      }),
  }
}

const VALUES = {
  A: {
    directory: 'app/',
    entries: { 'app/name': 'shop', 'app/port': '8080', 'app/mode': 'fast' },
    changed: ['app/port'],
    lock: 'locks/main',
    leased: 'lone',
    seconds: '600',
  },
  B: {
    directory: 'svc/',
    entries: { 'svc/host': 'box7', 'svc/zone': 'eu-west', 'svc/size': 'xl', 'svc/team': 'blue' },
    changed: ['svc/zone', 'svc/host', 'svc/zone'],
    lock: 'locks/job',
    leased: 'single',
    seconds: '900',
  },
}
const NEW = { target: 'CREATE', result: 'EQUAL', create_revision: '0' }

export async function session(base, which, check) {
  const { directory, entries, changed, lock, leased, seconds } = VALUES[which]
  const client = clientOf(base)
  const values = new Map(Object.entries(entries))
  const sorted = () => [...values.keys()].toSorted()
  const isNone = ({ kvs, count = '0' }) => kvs === undefined && count === '0'
  const isList = ({ kvs = [], count = '0' }) =>
    count === String(values.size) &&
    kvs.map(({ key }) => decoded(key)).join() === sorted().join() &&
    kvs.every(({ key, value }) => decoded(value) === values.get(decoded(key)))

  await check('get none', () => client.get(leased), isNone)
  await check('list none', () => client.list(directory), isNone)
  let revision = 0
  const isLater = ({ header }) => Number(header.revision) > revision && (revision = Number(header.revision))
  for (const [key, value] of values) await check('put', () => client.put(key, value), isLater)
  for (const [key, value] of values)
    await check(
      'get',
      () => client.get(key),
      ({ kvs: [item], count }) => count === '1' && decoded(item.value) === value && item.version === '1',
    )
  await check('list', () => client.list(directory), isList)
  await check(
    'keys only',
    () => client.list(directory, { keys_only: true }),
    ({ kvs }) => kvs.length === values.size && kvs.every(({ value }) => value === undefined),
  )
  await check(
    'count',
    () => client.list(directory, { count_only: true }),
    ({ kvs, count }) => kvs === undefined && count === String(values.size),
  )
  await check(
    'limit',
    () => client.list(directory, { limit: '2' }),
    ({ kvs, more, count }) => kvs.length === 2 && more === true && count === String(values.size),
  )
  await check(
    'sort',
    () => client.list(directory, { sort_order: 'DESCEND', sort_target: 'KEY' }),
    ({ kvs }) => kvs.map(({ key }) => decoded(key)).join() === sorted().toReversed().join(),
  )
  const versions = new Map()
  for (const [at, key] of changed.entries()) {
    const [before, now] = [values.get(key), `changed ${at}`]
    await check(
      'change',
      () => client.put(key, now, { prev_kv: true }),
      ({ prev_kv }) => decoded(prev_kv.value) === before,
    )
    values.set(key, now)
    versions.set(key, (versions.get(key) ?? 1) + 1)
    await check(
      'get changed',
      () => client.get(key),
      ({ kvs: [{ value, version, mod_revision, create_revision }] }) =>
        decoded(value) === now &&
        version === String(versions.get(key)) &&
        Number(mod_revision) > Number(create_revision),
    )
  }
  await check(
    'as it was',
    () => client.list(directory, { revision: String(revision) }),
    ({ kvs }) => kvs.length === values.size && decoded(kvs[0].value) === entries[sorted()[0]],
  )

  const succeeded = (wanted) => (answer) => (answer.succeeded ?? false) === wanted
  await check('lock', () => client.putIf(NEW, lock, 'one'), succeeded(true))
  await check(
    'lock again',
    () => client.putIf(NEW, lock, 'two'),
    ({ succeeded: is, responses: [{ response_range }] }) =>
      is === undefined && decoded(response_range.kvs[0].value) === 'one',
  )
  const isVersion = (version) => ({ target: 'VERSION', result: 'EQUAL', version })
  await check('change if', () => client.putIf(isVersion('1'), lock, 'three'), succeeded(true))
  await check('change if not', () => client.putIf(isVersion('1'), lock, 'four'), succeeded(false))
  const isValue = { target: 'VALUE', result: 'EQUAL', value: encoded(which === 'A' ? 'none' : 'three') }
  await check('change by value', () => client.putIf(isValue, lock, 'five'), succeeded(which === 'B'))
  await check(
    'get lock',
    () => client.get(lock),
    ({ kvs }) => decoded(kvs[0].value) === (which === 'A' ? 'three' : 'five'),
  )
  await check(
    'unlock',
    () => client.remove(lock),
    ({ deleted }) => deleted === '1',
  )
  await check('get unlocked', () => client.get(lock), isNone)
  await check('lock anew', () => client.putIf(NEW, lock, 'six'), succeeded(true))

  const [gone] = values.keys()
  await check(
    'delete',
    () => client.remove(gone, { prev_kv: true }),
    ({ deleted, prev_kvs }) => deleted === '1' && decoded(prev_kvs[0].value) === values.get(gone),
  )
  await check('get deleted', () => client.get(gone), isNone)
  await check(
    'delete again',
    () => client.remove(gone),
    ({ deleted }) => deleted === undefined,
  )
  values.delete(gone)
  await check('list without', () => client.list(directory), isList)

  const lease = await check(
    'lease',
    () => client.call('lease/grant', { TTL: seconds }),
    ({ TTL, ID }) => TTL === seconds && /^\d+$/.test(ID),
  )
  const { ID } = lease ?? {}
  await check('put with lease', () => client.put(leased, 'x', { lease: ID }))
  await check(
    'get with lease',
    () => client.get(leased),
    ({ kvs }) => kvs[0].lease === ID,
  )
  await check(
    'time to live',
    () => client.call('lease/timetolive', { ID, keys: true }),
    ({ grantedTTL, keys }) => grantedTTL === seconds && decoded(keys[0]) === leased,
  )
  await check(
    'keep alive',
    () => client.call('lease/keepalive', { ID }),
    ({ TTL }) => TTL === seconds,
  )
  await check(
    'leases',
    () => client.call('lease/leases', {}),
    ({ leases }) => leases.length === 1 && leases[0].ID === ID,
  )
  await check('revoke', () => client.call('lease/revoke', { ID }))
  await check('get revoked', () => client.get(leased), isNone)
  await check(
    'revoke again',
    () => client.call('lease/revoke', { ID }),
    (_value, error) => error?.status === 404,
  )
  await check(
    'put without key',
    () => client.call('kv/put', {}),
    (_value, error) => error?.status === 400,
  )
  await check(
    'members',
    () => client.call('cluster/member/list', {}),
    ({ members }) => members.length === 1 && members[0].name === 'default',
  )
  await check(
    'status',
    () => client.call('maintenance/status', {}),
    ({ version }) => version.startsWith('3.'),
  )
  await check(
    'authenticate',
    () => client.call('auth/enable', {}),
    (_value, error) => error?.status >= 400,
  )
  await check(
    'delete all',
    () => client.removeAll(directory),
    ({ deleted }) => deleted === String(values.size),
  )
  await check('list after', () => client.list(directory), isNone)
  await check('put back', () => client.put(gone, 'again'))
  await check(
    'get back',
    () => client.get(gone),
    ({ kvs: [item] }) => decoded(item.value) === 'again' && item.version === '1',
  )
}
