import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, pause, startServer } from '../server.ts'

export const needs = ['kea-dhcp4', 'kea-ctrl-agent']

export const short = {
  checks: 'ids of a bad form are refused, and calls list and remove by a member that is a list of ids',
  'by rule': 'lists have an order of their own and another verdict where they are empty',
}

/** The server of DHCP and the agent that takes commands for it by HTTP. */
export async function start(directory) {
  const at = (name) => join(directory, name)
  const socket = { 'socket-type': 'unix', 'socket-name': at('s') }
  const env = {
    KEA_PIDFILE_DIR: directory,
    KEA_LOCKFILE_DIR: 'none',
    KEA_LOGGER_DESTINATION: 'stderr',
    KEA_DHCP_DATA_DIR: directory,
  }
  const subnet4 = [
    { id: 1, subnet: '192.0.2.0/24', pools: [{ pool: '192.0.2.10-192.0.2.200' }] },
    { id: 2, subnet: '198.51.100.0/24', pools: [{ pool: '198.51.100.10-198.51.100.200' }] },
  ]
  const hooks = '/usr/lib/x86_64-linux-gnu/kea/hooks/libdhcp_lease_cmds.so'
  const Dhcp4 = {
    'interfaces-config': { interfaces: [] },
    'lease-database': { type: 'memfile', persist: false },
    'control-socket': socket,
    'hooks-libraries': [{ library: hooks }],
    'valid-lifetime': 4000,
    subnet4,
  }
  writeFileSync(at('dhcp4.json'), JSON.stringify({ Dhcp4 }))
  const dhcp = spawn('kea-dhcp4', ['-c', at('dhcp4.json')], {
    stdio: 'ignore',
    env: { ...process.env, ...env },
  })
  const gone = new Promise((resolve) => dhcp.once('exit', resolve))
  for (let tries = 0; !existsSync(at('s')) && tries < 200; tries++) await pause(50)
  const agent = await startServer(
    'kea-ctrl-agent',
    (port) => {
      const agent = { 'http-host': '127.0.0.1', 'http-port': port, 'control-sockets': { dhcp4: socket } }
      writeFileSync(at('agent.json'), JSON.stringify({ 'Control-agent': agent }))
      return ['-c', at('agent.json')]
    },
    { env },
  )
  return {
    url: agent.url,
    async stop() {
      await agent.stop()
      dhcp.kill('SIGTERM')
      await gone
    },
  }
}

const VALUES = {
  A: {
    leases: [
      ['192.0.2.20', '08:08:08:08:08:01', 'ada.example', 1],
      ['192.0.2.21', '08:08:08:08:08:02', 'bob.example', 1],
      ['198.51.100.30', '08:08:08:08:08:03', 'cyd.example', 2],
      ['192.0.2.22', '08:08:08:08:08:04', 'dan.example', 1],
    ],
    none: '192.0.2.99',
    host: 'renamed.example',
    word: 'dance',
  },
  B: {
    leases: [
      ['198.51.100.41', '0a:00:00:00:00:11', 'eve.example', 2],
      ['192.0.2.51', '0a:00:00:00:00:12', 'fay.example', 1],
      ['192.0.2.52', '0a:00:00:00:00:13', 'gus.example', 1],
    ],
    none: '192.0.2.77',
    host: 'other.example',
    word: 'sing',
  },
}

export async function session(base, which, check) {
  const v = VALUES[which]
  const c = jsonClient(base)
  const ask = async (command, args) =>
    (await c('POST', '/', { command, service: ['dhcp4'], ...(args && { arguments: args }) })).b[0]
  const step = (name, command, args, isRight) => check(name, () => ask(command, args), isRight)
  const get = (name, ip, isRight) => step(name, 'lease4-get', { 'ip-address': ip }, isRight)
  await step('version', 'version-get', undefined, (r) => r.result === 0 && r.text.startsWith('2.'))
  await step('commands', 'list-commands', undefined, (r) => r.arguments.includes('lease4-add'))
  await step('status', 'status-get', undefined, (r) => r.result === 0 && r.arguments.pid > 0)
  await step('config', 'config-get', undefined, (r) => r.arguments.Dhcp4.subnet4.length === 2)
  await step(
    'none yet',
    'lease4-get-all',
    undefined,
    (r) => r.result === 3 && r.arguments.leases.length === 0,
  )
  for (const [ip, hw, host, subnet] of v.leases)
    await step(
      'add',
      'lease4-add',
      { 'ip-address': ip, 'hw-address': hw, hostname: host, 'subnet-id': subnet },
      (r) => r.result === 0 && r.text === 'Lease added.',
    )
  const [[ip, hw, host, subnet], [ip2], [ip3]] = v.leases
  await step(
    'add again',
    'lease4-add',
    { 'ip-address': ip, 'hw-address': hw, 'subnet-id': subnet },
    (r) => r.result === 1 || r.result === 4,
  )
  await step('add bad', 'lease4-add', { 'ip-address': 'nonsense', 'hw-address': hw }, (r) => r.result === 1)
  await step(
    'add without hw',
    'lease4-add',
    { 'ip-address': v.none },
    (r) => r.result === 1 && r.text.includes('hw-address'),
  )
  for (const [ip, hw, host] of v.leases.slice(0, 3))
    await get(
      'get',
      ip,
      (r) =>
        r.result === 0 &&
        r.arguments['ip-address'] === ip &&
        r.arguments['hw-address'] === hw &&
        r.arguments.hostname === host,
    )
  await get('get none', v.none, (r) => r.result === 3 && r.text === 'Lease not found.')
  await step(
    'get all',
    'lease4-get-all',
    undefined,
    (r) =>
      r.result === 0 &&
      r.arguments.leases.length === v.leases.length &&
      r.text === `${v.leases.length} IPv4 lease(s) found.`,
  )
  for (const id of which === 'A' ? [1, 2] : [2, 1])
    await step(
      'get of subnet',
      'lease4-get-all',
      { subnets: [id] },
      (r) => r.arguments.leases.length === v.leases.filter((l) => l[3] === id).length,
    )
  await step(
    'by hw',
    'lease4-get-by-hw-address',
    { 'hw-address': hw },
    (r) => r.result === 0 && r.arguments.leases[0]['ip-address'] === ip,
  )
  await step(
    'by hostname',
    'lease4-get-by-hostname',
    { hostname: host },
    (r) => r.result === 0 && r.arguments.leases[0]['ip-address'] === ip,
  )
  await step(
    'page',
    'lease4-get-page',
    { from: 'start', limit: 2 },
    (r) => r.arguments.count === 2 && r.arguments.leases.length === 2,
  )
  await step(
    'update',
    'lease4-update',
    { 'ip-address': ip, 'hw-address': hw, hostname: v.host, 'subnet-id': subnet },
    (r) => r.result === 0,
  )
  await get('updated', ip, (r) => r.arguments.hostname === v.host)
  await step(
    'update none',
    'lease4-update',
    { 'ip-address': v.none, 'hw-address': hw, 'subnet-id': 1 },
    (r) => r.result !== 0,
  )
  await step(
    'delete',
    'lease4-del',
    { 'ip-address': ip2 },
    (r) => r.result === 0 && r.text.includes('deleted'),
  )
  await get('deleted', ip2, (r) => r.result === 3)
  await step('delete again', 'lease4-del', { 'ip-address': ip2 }, (r) => r.result === 3)
  await step('wipe', 'lease4-wipe', { 'subnet-id': subnet }, (r) => r.result === 0)
  await get('wiped', ip, (r) => r.result === 3)
  await get('not wiped', ip3, (r) => r.result === (v.leases[2][3] === subnet ? 3 : 0))
  await step('statistic', 'statistic-get', { name: 'subnet[1].assigned-addresses' }, (r) => r.result === 0)
  await step('bad command', v.word, undefined, (r) => r.result === 2 && r.text.includes(v.word))
  await check(
    'no command',
    () => c('POST', '/', { other: 1 }),
    (r) => r.s === 400 || r.b?.[0]?.result === 1,
  )
}
