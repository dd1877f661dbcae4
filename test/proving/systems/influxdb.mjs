import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { InfluxDB } from 'influx'
import { startServer } from '../server.ts'

export const needs = ['influxd']

export function start(directory) {
  const file = join(directory, 'influxdb.conf')
  const args = (port) => {
    const lines = [
      'reporting-disabled = true',
      'bind-address = "127.0.0.1:0"',
      `[meta]\ndir = "${directory}/meta"`,
      `[data]\ndir = "${directory}/data"\nwal-dir = "${directory}/wal"`,
      `[http]\nbind-address = "127.0.0.1:${port}"\nlog-enabled = false`,
      '[logging]\nlevel = "error"',
    ]
    writeFileSync(file, lines.join('\n'))
    return ['-config', file]
  }
  return startServer('influxd', args, { isUp: async (url) => (await fetch(`${url}/ping`)).status === 204 })
}

const T = 1_700_000_000
const VALUES = {
  A: {
    ...{ database: 'metrics', name: 'cpu', other: 'mem', hosts: ['a', 'b', 'c'], above: 25 },
    ...{ policy: 'week', duration: '7d', user: 'ada', none: 'nothing', bad: 'select from' },
  },
  B: {
    ...{ database: 'stats', name: 'temp', other: 'rain', hosts: ['x', 'y', 'z', 'w'], above: 35 },
    ...{ policy: 'month', duration: '30d', user: 'bob', none: 'void', bad: 'selec *' },
  },
}

export async function session(base, which, check) {
  const { database, name, other, hosts, above, policy, duration, user, none, bad } = VALUES[which]
  const { hostname: host, port } = new URL(base)
  const client = new InfluxDB({ host, port: Number(port), database })
  const query = (text) => client.query(text)
  const isDone = (_result, error) => error === undefined
  const has =
    (...names) =>
    (found) =>
      found.length === names.length && names.every((each) => found.includes(each))

  await check(
    'ping',
    () => client.ping(2000),
    ([first]) => first.online,
  )
  await check(
    'databases',
    () => client.getDatabaseNames(),
    (found) => !found.includes(database),
  )
  await check('create', () => client.createDatabase(database), isDone)
  await check(
    'databases',
    () => client.getDatabaseNames(),
    (found) => found.includes(database),
  )
  for (const [at, own] of hosts.entries()) {
    const tags = { host: own, region: at % 2 === 0 ? 'eu' : 'us' }
    const points = [0, 60, 120].map((later, n) => ({
      ...{ measurement: name, tags, fields: { value: (at + 1) * 10 + n, n } },
      timestamp: new Date((T + later) * 1000),
    }))
    await check('write', () => client.writePoints(points), isDone)
  }
  const [first, second] = hosts
  const more = { measurement: other, tags: { host: first }, fields: { used: above / 4, state: 'ok' } }
  await check('write', () => client.writePoints([{ ...more, timestamp: new Date(T * 1000) }]), isDone)
  await check('measurements', () => client.getMeasurements(), has(name, other))
  await check(
    'series',
    () => client.getSeries({ measurement: name }),
    ({ length }) => length === hosts.length,
  )
  const all = hosts.length * 3
  await check(
    'all',
    () => query(`select * from ${name}`),
    ({ length }) => length === all,
  )
  await check(
    'where',
    () => query(`select * from ${name} where host = '${second}'`),
    (rows) => rows.length === 3 && rows[0].value === 20 && rows[0].region === 'us',
  )
  await check(
    'above',
    () => query(`select value from ${name} where value > ${above}`),
    (rows) => rows.length > 0 && rows.every(({ value }) => value > above),
  )
  await check(
    'order',
    () => query(`select value from ${name} where host = '${first}' order by time desc limit 2`),
    (rows) => rows.map(({ value }) => value).join() === '12,11',
  )
  await check(
    'mean',
    () => query(`select mean(value) from ${name} where host = '${first}'`),
    ([row]) => row.mean === 11,
  )
  await check(
    'count',
    () => query(`select count(value) from ${name}`),
    ([row]) => row.count === all,
  )
  await check(
    'group',
    () => query(`select max(value) from ${name} group by host`),
    (rows) => rows.groups().length === hosts.length,
  )
  const span = `time >= ${T}s and time < ${T + 180}s`
  await check(
    'times',
    () => query(`select sum(n) from ${name} where ${span} group by time(1m) fill(none)`),
    ({ length }) => length === 3,
  )
  await check(
    'none',
    () => query(`select * from ${none}`),
    ({ length }) => length === 0,
  )
  await check(
    'bad',
    () => query(bad),
    (_rows, error) => error !== undefined,
  )
  await check(
    'tag values',
    () => query(`show tag values from ${name} with key = "host"`),
    ({ length }) => length === hosts.length,
  )
  await check(
    'tag keys',
    () => query(`show tag keys from ${name}`),
    ({ length }) => length === 2,
  )
  await check(
    'field keys',
    () => query(`show field keys from ${name}`),
    ({ length }) => length === 2,
  )
  await check(
    'regions',
    () => query(`select first(value) from ${name} group by region`),
    ({ length }) => length === 2,
  )
  await check(
    'policy',
    () => client.createRetentionPolicy(policy, { duration, replication: 1, database }),
    isDone,
  )
  await check(
    'policies',
    () => client.showRetentionPolicies(database),
    (found) => found.length === 2 && found[1].name === policy,
  )
  await check('user', () => client.createUser(user, 'secret'), isDone)
  await check(
    'users',
    () => client.getUsers(),
    (found) => found.length === 1 && found[0].user === user,
  )
  await check(
    'drop series',
    () =>
      client.dropSeries({
        measurement: (measurement) => measurement.name(name),
        where: (where) => where.tag('host').equals.value(first),
      }),
    isDone,
  )
  await check(
    'count',
    () => query(`select count(value) from ${name}`),
    ([row]) => row.count === all - 3,
  )
  await check('drop measurement', () => client.dropMeasurement(other), isDone)
  await check('measurements', () => client.getMeasurements(), has(name))
  await check('drop', () => client.dropDatabase(database), isDone)
  await check(
    'databases',
    () => client.getDatabaseNames(),
    (found) => !found.includes(database),
  )
}
