import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['caddy']

export function start(directory) {
  const file = join(directory, 'caddy.json')
  return startServer(
    'caddy',
    (port) => {
      writeFileSync(file, JSON.stringify({ admin: { listen: `127.0.0.1:${port}` } }))
      return ['run', '--config', file]
    },
    { env: { HOME: directory, XDG_CONFIG_HOME: directory, XDG_DATA_HOME: directory } },
  )
}

const VALUES = {
  A: {
    servers: { front: ['app.example', 'www.app.example'], api: ['api.example'] },
    added: 'beta.example',
    body: 'Hello',
    name: 'log-all',
    level: 'INFO',
    none: 'nowhere',
    timeout: '10s',
  },
  B: {
    servers: { shop: ['shop.example'], blog: ['blog.example', 'news.example', 'old.example'], cdn: [] },
    added: 'next.example',
    body: 'Good day',
    name: 'audit',
    level: 'ERROR',
    none: 'absent',
    timeout: '30s',
  },
}

/** An unused port of its own for each server of a configuration; nothing connects to it. */
const listenOn = (at) => [`127.0.0.1:${28_000 + at}`]

export async function session(base, which, check) {
  const c = jsonClient(base)
  const v = VALUES[which]
  const names = Object.keys(v.servers)
  const [first, second] = names
  const path = '/config/apps/http/servers'
  const route = (host, body) => ({
    match: [{ host: [host] }],
    handle: [{ handler: 'static_response', body }],
  })
  const serverOf = (name, at) => ({
    listen: listenOn(at),
    routes: v.servers[name].map((host) => route(host, v.body)),
  })
  await check(
    'empty',
    () => c('GET', '/config/apps'),
    (r) => r.s === 200,
  )
  await check(
    'load',
    () => c('POST', '/config/apps', { http: { servers: { [first]: serverOf(first, 0) } } }),
    (r) => r.s === 200,
  )
  for (const [at, name] of names.slice(1).entries())
    await check(
      'put server',
      () => c('PUT', `${path}/${name}`, serverOf(name, at + 1)),
      (r) => r.s === 200,
    )
  await check(
    'put again',
    () => c('PUT', `${path}/${second}`, serverOf(second, 1)),
    (r) => r.s >= 400,
  )
  await check(
    'servers',
    () => c('GET', path),
    (r) => Object.keys(r.b).toSorted().join() === names.toSorted().join(),
  )
  for (const [at, name] of names.entries()) {
    await check(
      'server',
      () => c('GET', `${path}/${name}`),
      (r) => r.b.listen[0] === listenOn(at)[0] && r.b.routes.length === v.servers[name].length,
    )
    await check(
      'listen',
      () => c('GET', `${path}/${name}/listen`),
      (r) => r.b[0] === listenOn(at)[0],
    )
  }
  await check(
    'add route',
    () => c('POST', `${path}/${first}/routes`, route(v.added, v.body)),
    (r) => r.s === 200,
  )
  await check(
    'routes',
    () => c('GET', `${path}/${first}/routes`),
    (r) => r.b.at(-1).match[0].host[0] === v.added && r.b.length === v.servers[first].length + 1,
  )
  await check(
    'route by index',
    () => c('GET', `${path}/${first}/routes/0`),
    (r) => r.b.match[0].host[0] === v.servers[first][0],
  )
  await check(
    'put route in between',
    () => c('PUT', `${path}/${first}/routes/0`, route(`zero.${v.added}`, v.body)),
    (r) => r.s === 200,
  )
  await check(
    'route in between',
    () => c('GET', `${path}/${first}/routes`),
    (r) => r.b[0].match[0].host[0] === `zero.${v.added}` && r.b.length === v.servers[first].length + 2,
  )
  await check(
    'patch timeout',
    () => c('POST', `${path}/${first}/idle_timeout`, v.timeout),
    (r) => r.s === 200,
  )
  await check(
    'timeout',
    () => c('GET', `${path}/${first}/idle_timeout`),
    (r) => r.b === v.timeout,
  )
  await check(
    'host',
    () => c('GET', `${path}/${first}/routes/0/match/0/host`),
    (r) => r.b[0] === `zero.${v.added}`,
  )
  await check(
    'patch listen',
    () => c('PATCH', `${path}/${second}/listen`, listenOn(9)),
    (r) => r.s === 200,
  )
  await check(
    'patched',
    () => c('GET', `${path}/${second}`),
    (r) => r.b.listen[0] === listenOn(9)[0],
  )
  await check(
    'patch none',
    () => c('PATCH', `${path}/${v.none}`, serverOf(first, 7)),
    (r) => r.s >= 400,
  )
  await check(
    'get none',
    () => c('GET', `${path}/${v.none}`),
    (r) => r.s === 200 && r.b === null,
  )
  await check(
    'get below none',
    () => c('GET', `${path}/${v.none}/routes`),
    (r) => r.s >= 400,
  )
  await check(
    'delete route',
    () => c('DELETE', `${path}/${first}/routes/0`),
    (r) => r.s === 200,
  )
  await check(
    'after delete',
    () => c('GET', `${path}/${first}/routes`),
    (r) => r.b.length === v.servers[first].length + 1 && r.b[0].match[0].host[0] === v.servers[first][0],
  )
  await check(
    'delete server',
    () => c('DELETE', `${path}/${second}`),
    (r) => r.s === 200,
  )
  await check(
    'gone',
    () => c('GET', path),
    (r) => !(second in r.b) && first in r.b,
  )
  await check(
    'delete none',
    () => c('DELETE', `${path}/${v.none}`),
    (r) => r.s >= 400,
  )
  await check(
    'not JSON',
    () => c('POST', `${path}/${first}`, undefined),
    (r) => r.s >= 400,
  )
  await check(
    'logging',
    () => c('PUT', '/config/logging', { logs: { [v.name]: { level: v.level } } }),
    (r) => r.s === 200,
  )
  await check(
    'level',
    () => c('GET', `/config/logging/logs/${v.name}/level`),
    (r) => r.b === v.level,
  )
  await check(
    'upstreams',
    () => c('GET', '/reverse_proxy/upstreams'),
    (r) => Array.isArray(r.b) || r.b === null,
  )
  await check(
    'whole',
    () => c('GET', '/config/'),
    (r) => first in r.b.apps.http.servers,
  )
}
