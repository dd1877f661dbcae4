import { freePort } from '../../free-port.ts'
import { startServer } from '../server.ts'

export const needs = ['etcd']

export const short = {
  drift:
    'drift compares by paths, and what the same path shows is now a folder, now a key that the client put there',
}

export async function start(directory) {
  const peer = `http://127.0.0.1:${await freePort()}`
  const args = (port) => {
    const client = `http://127.0.0.1:${port}`
    return [
      ...['--enable-v2', '--data-dir', `${directory}/data`, '--log-level', 'error'],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `default=${peer}`],
    ]
  }
  return startServer('etcd', args, { isUp: async (url) => (await fetch(`${url}/v2/keys/`)).ok })
}

/** The client's calls, whose values are forms. */
function clientOf(base) {
  return async (method, path, values) => {
    const response = await fetch(`${base}/v2/keys/${path}`, {
      method,
      ...(values !== undefined && { body: new URLSearchParams(values) }),
    })
    return { s: response.status, b: await response.json() }
  }
}

const VALUES = {
  A: {
    keys: { 'app/db/host': 'db.example', 'app/db/port': '5432', 'app/title': 'Shop' },
    changed: ['app/title', 'Big shop'],
    folder: 'jobs',
    jobs: ['send mail', 'make thumbnails'],
    lock: 'locks/import',
    none: 'app/none',
  },
  B: {
    keys: {
      'service/web/one': '10.0.0.1',
      'service/web/two': '10.0.0.2',
      'service/mail': '10.0.0.9',
      region: 'north',
    },
    changed: ['service/mail', '10.0.0.12'],
    folder: 'waiting',
    jobs: ['print', 'copy', 'archive'],
    lock: 'held/backup',
    none: 'nothing/here',
  },
}

export async function session(base, which, check) {
  const c = clientOf(base)
  const v = VALUES[which]
  const [changed, later] = v.changed
  const [top] = changed.split('/')
  for (const [key, value] of Object.entries(v.keys)) {
    await check(
      'read none',
      () => c('GET', key),
      ({ s, b }) => s === 404 && b.errorCode === 100,
    )
    await check(
      'set',
      () => c('PUT', key, { value }),
      ({ s, b }) => s === 201 && b.node.key === `/${key}` && b.node.value === value,
    )
    await check(
      'read',
      () => c('GET', key),
      ({ s, b }) => s === 200 && b.action === 'get' && b.node.value === value,
    )
  }
  await check(
    'change',
    () => c('PUT', changed, { value: later }),
    ({ s, b }) =>
      s === 200 &&
      b.node.value === later &&
      b.prevNode.value === v.keys[changed] &&
      b.node.modifiedIndex > b.prevNode.modifiedIndex,
  )
  await check(
    'read',
    () => c('GET', changed),
    ({ s, b }) => s === 200 && b.node.value === later,
  )
  const inTop = new Set(
    Object.keys(v.keys)
      .filter((key) => key.startsWith(`${top}/`))
      .map((key) => key.split('/')[1]),
  )
  await check(
    'list',
    () => c('GET', top),
    ({ s, b }) => s === 200 && b.node.dir && b.node.nodes.length === inTop.size,
  )
  await check(
    'list all',
    () => c('GET', `${top}?recursive=true`),
    ({ s, b }) =>
      s === 200 && b.node.nodes.some((each) => each.nodes?.length === 2 && each.nodes[0].value !== undefined),
  )
  await check(
    'make folder',
    () => c('PUT', v.folder, { dir: 'true' }),
    ({ s, b }) => s === 201 && b.node.dir,
  )
  await check(
    'make folder again',
    () => c('PUT', v.folder, { dir: 'true' }),
    ({ s, b }) => s === 403 && b.cause === `/${v.folder}`,
  )
  const made = []
  for (const value of v.jobs) {
    const job = await check(
      'add',
      () => c('POST', v.folder, { value }),
      ({ s, b }) => s === 201 && b.action === 'create' && b.node.key.startsWith(`/${v.folder}/`),
    )
    made.push(job?.b?.node?.key?.slice(1))
  }
  await check(
    'list in order',
    () => c('GET', `${v.folder}?sorted=true`),
    ({ s, b }) => s === 200 && b.node.nodes.map(({ value }) => value).join() === v.jobs.join(),
  )
  await check(
    'take',
    () => c('DELETE', made[0]),
    ({ s, b }) => s === 200 && b.action === 'delete' && b.prevNode.value === v.jobs[0],
  )
  await check(
    'read none',
    () => c('GET', made[0]),
    ({ s }) => s === 404,
  )
  await check(
    'list in order',
    () => c('GET', `${v.folder}?sorted=true`),
    ({ s, b }) => s === 200 && b.node.nodes.length === v.jobs.length - 1,
  )
  await check(
    'delete folder',
    () => c('DELETE', v.folder),
    ({ s }) => s === 403,
  )
  await check(
    'delete all',
    () => c('DELETE', `${v.folder}?recursive=true`),
    ({ s, b }) => s === 200 && b.node.dir,
  )
  await check(
    'read none',
    () => c('GET', v.folder),
    ({ s }) => s === 404,
  )
  await check(
    'lock',
    () => c('PUT', `${v.lock}?prevExist=false`, { value: 'me' }),
    ({ s, b }) => s === 201 && b.action === 'create',
  )
  await check(
    'lock again',
    () => c('PUT', `${v.lock}?prevExist=false`, { value: 'you' }),
    ({ s, b }) => s === 412 && b.errorCode === 105,
  )
  await check(
    'unlock',
    () => c('DELETE', v.lock),
    ({ s }) => s === 200,
  )
  await check(
    'lock',
    () => c('PUT', `${v.lock}?prevExist=false`, { value: 'you' }),
    ({ s, b }) => s === 201 && b.node.value === 'you',
  )
  await check(
    'delete none',
    () => c('DELETE', v.none),
    ({ s, b }) => s === 404 && b.cause === `/${v.none}`,
  )
  await check(
    'change none',
    () => c('PUT', `${v.none}?prevExist=true`, { value: 'x' }),
    ({ s }) => s === 404,
  )
}
