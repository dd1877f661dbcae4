import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../free-port.ts'
import { jsonClient, startServer } from '../server.ts'

const PROGRAM = '/usr/lib/rabbitmq/bin/rabbitmq-server'
export const needs = [PROGRAM]

const GUEST = { authorization: `Basic ${btoa('guest:guest')}` }

export async function start(directory) {
  const [amqp, distribution] = [await freePort(), await freePort()]
  const at = (name) => join(directory, name)
  mkdirSync(at('log'), { recursive: true })
  writeFileSync(at('plugins'), '[rabbitmq_management].\n')
  // The server forgets its options where it is given arguments, so the port is written for it.
  const port = await freePort()
  writeFileSync(
    at('rabbit.conf'),
    `listeners.tcp.1 = 127.0.0.1:${amqp}\nmanagement.tcp.ip = 127.0.0.1\nmanagement.tcp.port = ${port}\n`,
  )
  const url = `http://127.0.0.1:${port}`
  const { stop } = await startServer(PROGRAM, () => [], {
    env: {
      ...{
        HOME: directory,
        RABBITMQ_NODENAME: `n${amqp}@localhost`,
        RABBITMQ_CONFIG_FILE: at('rabbit.conf'),
      },
      ...{ RABBITMQ_ENABLED_PLUGINS_FILE: at('plugins'), RABBITMQ_MNESIA_BASE: at('mnesia') },
      ...{
        RABBITMQ_LOG_BASE: at('log'),
        RABBITMQ_DIST_PORT: String(distribution),
        RABBITMQ_PID_FILE: at('pid'),
      },
    },
    isUp: async () => (await fetch(`${url}/api/overview`, { headers: GUEST })).ok,
  })
  return { url, stop }
}

export const isMap = (pointer) => /\/(arguments|cluster_state|metadata|limits)$/.test(pointer)

export async function session(base, which, check) {
  const c = jsonClient(`${base}/api`, GUEST)
  const v =
    which === 'A'
      ? {
          ...{ vhosts: ['shop', 'lab', 'ops'], queues: ['orders', 'mails', 'jobs'] },
          ...{ exchanges: ['events', 'logs'], users: ['ann', 'bob'], no: 'nothing' },
        }
      : {
          ...{ vhosts: ['play', 'qa'], queues: ['bills', 'tasks'] },
          ...{ exchanges: ['news', 'audit'], users: ['cyd', 'dan'], no: 'none' },
        }
  const [vhost, second] = v.vhosts
  const [queue, other] = v.queues
  const hasNames = ({ s, b }, names) =>
    s === 200 && names.every((name) => b.some((each) => each.name === name))
  const steps = {
    whoami: [() => c('GET', '/whoami'), ({ s, b }) => s === 200 && b.name === 'guest'],
    'bad user': [
      () => jsonClient(`${base}/api`, { authorization: `Basic ${btoa('x:y')}` })('GET', '/whoami'),
      ({ s }) => s === 401,
    ],
    vhosts: [() => c('GET', '/vhosts'), ({ s, b }) => s === 200 && b.length === 1],
    'put vhost': v.vhosts.map((name) => [() => c('PUT', `/vhosts/${name}`, {}), ({ s }) => s === 201]),
    'put vhost again': [() => c('PUT', `/vhosts/${vhost}`, {}), ({ s }) => s === 204],
    'get vhost': v.vhosts.map((name) => [
      () => c('GET', `/vhosts/${name}`),
      ({ s, b }) => s === 200 && b.name === name,
    ]),
    'put queue': v.queues.map((name) => [
      () => c('PUT', `/queues/${vhost}/${name}`, { durable: true, auto_delete: false, arguments: {} }),
      ({ s }) => s === 201,
    ]),
    'get queue': v.queues.map((name) => [
      () => c('GET', `/queues/${vhost}/${name}`),
      ({ s, b }) => s === 200 && b.name === name && b.vhost === vhost && b.durable === true,
    ]),
    queues: [
      () => c('GET', `/queues/${vhost}`),
      (answer) => hasNames(answer, v.queues) && answer.b.length === v.queues.length,
    ],
    'bad queue': [() => c('PUT', `/queues/${vhost}/${queue}`, { durable: false }), ({ s }) => s === 400],
    'put exchange': v.exchanges.map((name) => [
      () => c('PUT', `/exchanges/${vhost}/${name}`, { type: 'topic', durable: true }),
      ({ s }) => s === 201,
    ]),
    'get exchange': [
      () => c('GET', `/exchanges/${vhost}/${v.exchanges[0]}`),
      ({ s, b }) => s === 200 && b.type === 'topic' && b.name === v.exchanges[0],
    ],
    bind: [
      () =>
        c('POST', `/bindings/${vhost}/e/${v.exchanges[0]}/q/${queue}`, { routing_key: 'a.b', arguments: {} }),
      ({ s, h }) => s === 201 && h.get('location') !== null,
    ],
    bindings: [
      () => c('GET', `/queues/${vhost}/${queue}/bindings`),
      ({ s, b }) => s === 200 && b.length === 2,
    ],
    'delete queue': [() => c('DELETE', `/queues/${vhost}/${other}`), ({ s }) => s === 204],
    'deleted queue': [() => c('GET', `/queues/${vhost}/${other}`), ({ s }) => s === 404],
    'missing queue': [() => c('GET', `/queues/${vhost}/${v.no}`), ({ s }) => s === 404],
    'delete missing': [() => c('DELETE', `/queues/${vhost}/${v.no}`), ({ s }) => s === 404],
    'put user': v.users.map((name) => [
      () => c('PUT', `/users/${name}`, { password: 'pw', tags: 'management' }),
      ({ s }) => s === 201,
    ]),
    'get user': [() => c('GET', `/users/${v.users[0]}`), ({ s, b }) => s === 200 && b.name === v.users[0]],
    users: [() => c('GET', '/users'), (answer) => hasNames(answer, v.users) && answer.b.length === 3],
    'delete user': [() => c('DELETE', `/users/${v.users[1]}`), ({ s }) => s === 204],
    'users after': [() => c('GET', '/users'), ({ b }) => b.length === 2],
    'put in /': [
      () => c('PUT', `/queues/%2F/${queue}`, { durable: true, arguments: { 'x-max-length': 10 } }),
      ({ s }) => s === 201,
    ],
    'get in /': [
      () => c('GET', `/queues/%2F/${queue}`),
      ({ s, b }) => s === 200 && b.vhost === '/' && b.arguments['x-max-length'] === 10,
    ],
    'vhosts after': [() => c('GET', '/vhosts'), (answer) => hasNames(answer, v.vhosts)],
    'delete vhost': [() => c('DELETE', `/vhosts/${second}`), ({ s }) => s === 204],
    'vhost gone': [() => c('GET', `/vhosts/${second}`), ({ s }) => s === 404],
  }
  for (const [name, step] of Object.entries(steps))
    for (const [run, isRight] of Array.isArray(step[0]) ? step : [step]) await check(name, run, isRight)
}
