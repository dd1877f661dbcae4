import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['mb']

const VIEWS =
  'a flag of the query (`replayable`) and requests to all of them choose how much is shown of an item'
export const short = { 'held out': VIEWS, checks: VIEWS, 'by rule': VIEWS }

export function start(directory) {
  return startServer('mb', (port) => [
    ...['--port', String(port), '--host', '127.0.0.1', '--localOnly', '--nologfile'],
    ...['--pidfile', join(directory, 'mb.pid')],
  ])
}

const stub = (path, body, statusCode = 200) => ({
  predicates: [{ equals: { path } }],
  responses: [{ is: { statusCode, body } }],
})

const VALUES = {
  A: {
    ports: [42110, 42111, 42112],
    none: 42199,
    name: 'orders',
    paths: ['/a', '/b', '/c'],
    added: ['/late', '/early'],
    index: 0,
  },
  B: {
    ports: [42120, 42121, 42122, 42123],
    none: 42188,
    name: 'billing',
    paths: ['/pay', '/refund'],
    added: ['/one', '/two', '/three'],
    index: 1,
  },
}

export async function session(base, which, check) {
  const c = jsonClient(base)
  const { ports, none, name, paths, added, index } = VALUES[which]
  const make = (port, more = {}) => ({
    protocol: 'http',
    port,
    name: `${name} ${port}`,
    stubs: paths.map((path) => stub(path, `${name}${path}`)),
    ...more,
  })
  const create = (port, more) =>
    check(
      'create',
      () => c('POST', '/imposters', make(port, more)),
      ({ s, b }) => s === 201 && b.port === port && b.stubs.length === paths.length,
    )
  const read = (what, port, isRight) =>
    check(
      what,
      () => c('GET', `/imposters/${port}`),
      ({ s, b }) => s === 200 && b.port === port && isRight(b),
    )
  const list = (count) =>
    check(
      'list',
      () => c('GET', '/imposters'),
      ({ s, b }) => s === 200 && b.imposters.length === count && b.imposters.every((each) => !each.stubs),
    )
  const deleteAll = (count) =>
    check(
      'delete all',
      () => c('DELETE', '/imposters'),
      ({ s, b }) => s === 200 && b.imposters.length === count,
    )
  const pathsIn = (b) => b.stubs.map((each) => each.predicates[0].equals.path).join()

  await check(
    'home',
    () => c('GET', '/'),
    ({ b }) => b._links.imposters.href.endsWith('/imposters'),
  )
  await list(0)
  for (const port of ports) await create(port)
  await list(ports.length)
  for (const port of which === 'A' ? ports : ports.toReversed())
    await read('read', port, (b) => b.name === `${name} ${port}` && pathsIn(b) === paths.join())
  await check(
    'list replayable',
    () => c('GET', '/imposters?replayable=true&removeProxies=true'),
    ({ b }) =>
      b.imposters.length === ports.length &&
      b.imposters.every((each) => each.stubs.length === paths.length && !each._links),
  )
  await check(
    'read replayable',
    () => c('GET', `/imposters/${ports[0]}?replayable=true`),
    ({ b }) => b.port === ports[0] && b.stubs.length === paths.length && !b._links,
  )
  await check(
    'read none',
    () => c('GET', `/imposters/${none}`),
    ({ s, b }) => s === 404 && b.errors[0].code === 'no such resource',
  )
  await check(
    'refused',
    () => c('POST', '/imposters', { port: none }),
    ({ s, b }) => s === 400 && b.errors[0].code === 'bad data',
  )
  const all = [...paths]
  for (const path of added) {
    all.push(path)
    await check(
      'add stub',
      () => c('POST', `/imposters/${ports[1]}/stubs`, { stub: stub(path, 'added', 201) }),
      ({ s, b }) => s === 200 && b.port === ports[1] && pathsIn(b) === all.join(),
    )
  }
  all.splice(index, 0, '/inserted')
  await check(
    'insert stub',
    () => c('POST', `/imposters/${ports[1]}/stubs`, { index, stub: stub('/inserted', name) }),
    ({ s, b }) => s === 200 && pathsIn(b) === all.join(),
  )
  await read('read changed', ports[1], (b) => pathsIn(b) === all.join())
  const at = which === 'A' ? 2 : 0
  all[at] = '/changed'
  await check(
    'put stub',
    () => c('PUT', `/imposters/${ports[1]}/stubs/${at}`, stub('/changed', 'new', 202)),
    ({ s, b }) => s === 200 && pathsIn(b) === all.join(),
  )
  for (const gone of which === 'A' ? [1, 0] : [2]) {
    all.splice(gone, 1)
    await check(
      'delete stub',
      () => c('DELETE', `/imposters/${ports[1]}/stubs/${gone}`),
      ({ s, b }) => s === 200 && pathsIn(b) === all.join(),
    )
  }
  await read('read changed', ports[1], (b) => pathsIn(b) === all.join())
  await check(
    'delete no stub',
    () => c('DELETE', `/imposters/${ports[1]}/stubs/${40 + index}`),
    ({ s }) => s === 404,
  )
  await check(
    'put stubs',
    () => c('PUT', `/imposters/${ports[1]}/stubs`, { stubs: [stub('/only', name)] }),
    ({ s, b }) => s === 200 && pathsIn(b) === '/only',
  )
  await read('read changed', ports[1], (b) => pathsIn(b) === '/only')
  for (const port of ports.slice(2))
    await check(
      'delete',
      () => c('DELETE', `/imposters/${port}`),
      ({ s, b }) => s === 200 && b.port === port && pathsIn(b) === paths.join(),
    )
  for (const port of [ports[2], none])
    await check(
      'delete none',
      () => c('DELETE', `/imposters/${port}`),
      ({ s, b }) => s === 200 && Object.keys(b).length === 0,
    )
  await check(
    'read deleted',
    () => c('GET', `/imposters/${ports[2]}`),
    ({ s }) => s === 404,
  )
  await list(2)
  await check(
    'put all',
    () => c('PUT', '/imposters', { imposters: ports.slice(1).map((port) => make(port)) }),
    ({ s, b }) => s === 200 && b.imposters.length === ports.length - 1,
  )
  await read('read', ports[2], (b) => pathsIn(b) === paths.join())
  await check(
    'read replaced',
    () => c('GET', `/imposters/${ports[0]}`),
    ({ s }) => s === 404,
  )
  await list(ports.length - 1)
  await deleteAll(ports.length - 1)
  await list(0)
  await check(
    'read deleted',
    () => c('GET', `/imposters/${ports[1]}`),
    ({ s }) => s === 404,
  )
  await create(ports[0], { recordRequests: true })
  await check(
    'forget requests',
    () => c('DELETE', `/imposters/${ports[0]}/savedRequests`),
    ({ s, b }) => s === 200 && b.port === ports[0] && b.numberOfRequests === 0,
  )
  await deleteAll(1)
  await deleteAll(0)
}
