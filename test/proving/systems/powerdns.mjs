import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../free-port.ts'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['pdns_server', 'sqlite3']
export const short = {
  'held out': 'a PATCH of parts of a list is laid over the item whole, and nothing shows why one is refused',
}

const SCHEMA = '/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql'

export async function start(directory) {
  const database = join(directory, 'zones.db')
  const dns = await freePort()
  execFileSync('sqlite3', [database, `.read ${SCHEMA}`])
  return startServer('pdns_server', (port) => {
    const lines = [
      ...['launch=gsqlite3', `gsqlite3-database=${database}`, 'local-address=127.0.0.1', `local-port=${dns}`],
      ...['api=yes', 'api-key=secret', 'webserver=yes', 'webserver-address=127.0.0.1'],
      ...[`webserver-port=${port}`, `socket-dir=${directory}`, 'daemon=no', 'guardian=no'],
    ]
    writeFileSync(join(directory, 'pdns.conf'), lines.join('\n'))
    return [`--config-dir=${directory}`]
  })
}

export async function session(base, which, check) {
  const c = jsonClient(base + '/api/v1/servers', { 'x-api-key': 'secret' })
  const v =
    which === 'A'
      ? {
          zones: ['example.org.', 'example.com.', 'sim.test.'],
          ip: ['10.0.0.1', '10.0.0.2'],
          no: 'missing.org.',
        }
      : { zones: ['other.net.', 'fox.dev.'], ip: ['192.0.2.7', '192.0.2.9'], no: 'none.net.' }
  await check(
    'servers',
    () => c('GET', ''),
    (r) => r.s === 200 && r.b[0].id === 'localhost',
  )
  await check(
    'server',
    () => c('GET', '/localhost'),
    (r) => r.s === 200 && r.b.daemon_type === 'authoritative',
  )
  await check(
    'no key',
    () => jsonClient(base + '/api/v1/servers')('GET', ''),
    (r) => r.s === 401,
  )
  await check(
    'no zones',
    () => c('GET', '/localhost/zones'),
    (r) => r.s === 200 && r.b.length === 0,
  )
  for (const z of v.zones)
    await check(
      'create zone',
      () => c('POST', '/localhost/zones', { name: z, kind: 'Native', nameservers: [`ns1.${z}`] }),
      (r) => r.s === 201 && r.b.name === z && r.b.rrsets.some((x) => x.type === 'NS'),
    )
  await check(
    'zone again',
    () => c('POST', '/localhost/zones', { name: v.zones[0], kind: 'Native', nameservers: [] }),
    (r) => r.s === 409,
  )
  await check(
    'bad zone',
    () => c('POST', '/localhost/zones', { name: 'nodot', kind: 'Native' }),
    (r) => r.s === 422,
  )
  await check(
    'zones',
    () => c('GET', '/localhost/zones'),
    (r) =>
      r.s === 200 && r.b.length === v.zones.length && v.zones.every((z) => r.b.some((x) => x.name === z)),
  )
  for (const z of v.zones)
    await check(
      'get zone',
      () => c('GET', `/localhost/zones/${z}`),
      (r) => r.s === 200 && r.b.name === z,
    )
  for (const [i, ip] of v.ip.entries())
    await check(
      'patch',
      () =>
        c('PATCH', `/localhost/zones/${v.zones[0]}`, {
          rrsets: [
            {
              name: `www${i}.${v.zones[0]}`,
              type: 'A',
              ttl: 300,
              changetype: 'REPLACE',
              records: [{ content: ip, disabled: false }],
            },
          ],
        }),
      (r) => r.s === 204,
    )
  await check(
    'get patched',
    () => c('GET', `/localhost/zones/${v.zones[0]}`),
    (r) => r.s === 200 && r.b.rrsets.filter((x) => x.type === 'A').length === v.ip.length,
  )
  await check(
    'bad patch',
    () =>
      c('PATCH', `/localhost/zones/${v.zones[0]}`, {
        rrsets: [{ name: 'elsewhere.example.', type: 'A', ttl: 1, changetype: 'REPLACE', records: [] }],
      }),
    (r) => r.s === 422,
  )
  await check(
    'put kind',
    () => c('PUT', `/localhost/zones/${v.zones[1]}`, { kind: 'Master' }),
    (r) => r.s === 204,
  )
  await check(
    'get put',
    () => c('GET', `/localhost/zones/${v.zones[1]}`),
    (r) => r.b.kind === 'Master',
  )
  await check(
    'missing',
    () => c('GET', `/localhost/zones/${v.no}`),
    (r) => r.s === 404,
  )
  await check(
    'delete',
    () => c('DELETE', `/localhost/zones/${v.zones[1]}`),
    (r) => r.s === 204,
  )
  await check(
    'deleted',
    () => c('GET', `/localhost/zones/${v.zones[1]}`),
    (r) => r.s === 404,
  )
  await check(
    'zones after',
    () => c('GET', '/localhost/zones'),
    (r) => r.s === 200 && r.b.length === v.zones.length - 1,
  )
  await check(
    'search',
    () => c('GET', `/localhost/search-data?q=${v.zones[0].slice(0, 4)}*&max=10`),
    (r) => r.s === 200 && r.b.length > 0,
  )
  await check(
    'statistics',
    () => c('GET', '/localhost/statistics?statistic=uptime'),
    (r) => r.s === 200 && r.b[0].name === 'uptime',
  )
}
