import { jsonClient, startServer } from '../server.ts'

export const needs = ['podman']

const NULL =
  'what is null where it is made or listed and {} where one is read, and names of secrets that come again'
export const short = { 'held out': NULL }

export const start = (directory) =>
  startServer(
    'podman',
    (port) => [
      '--root',
      `${directory}/root`,
      '--runroot',
      `${directory}/run`,
      '--storage-driver',
      'vfs',
      '--network-config-dir',
      `${directory}/nets`,
      'system',
      'service',
      '--time',
      '0',
      `tcp:127.0.0.1:${port}`,
    ],
    {
      env: { HOME: directory, XDG_RUNTIME_DIR: directory },
      isUp: async (url) => (await fetch(`${url}/_ping`)).ok,
    },
  )
export async function session(base, which, check) {
  const A = which === 'A'
  const api = jsonClient(`${base}/v1.41`)
  const is = (s) => (answer) => answer.s === s
  const names = A ? ['data', 'logs'] : ['blobs', 'cache', 'temp']
  await check('ping', () => api('GET', '/_ping'), is(200))
  await check(
    'none',
    () => api('GET', '/volumes'),
    ({ s, b }) => s === 200 && b.Volumes.length === 0,
  )
  for (const [at, Name] of names.entries())
    await check(
      'create',
      () => api('POST', '/volumes/create', { Name, Labels: { kind: at === 1 ? 'slow' : 'fast' } }),
      ({ s, b }) => s === 201 && b.Name === Name && b.Labels.kind === (at === 1 ? 'slow' : 'fast'),
    )
  await check(
    'inspect',
    () => api('GET', `/volumes/${names[1]}`),
    ({ s, b }) => s === 200 && b.Labels.kind === 'slow',
  )
  await check('inspect none', () => api('GET', `/volumes/${A ? 'nope' : 'nil'}`), is(404))
  await check(
    'list',
    () => api('GET', '/volumes'),
    ({ b }) => b.Volumes.length === names.length,
  )
  await check(
    'filter',
    () => api('GET', `/volumes?filters=${encodeURIComponent(JSON.stringify({ name: [names[0]] }))}`),
    ({ b }) => b.Volumes.length === 1,
  )
  await check('remove', () => api('DELETE', `/volumes/${names[0]}`), is(204))
  await check('remove none', () => api('DELETE', `/volumes/${names[0]}`), is(404))
  await check(
    'list',
    () => api('GET', '/volumes'),
    ({ b }) => b.Volumes.length === names.length - 1,
  )
  if (!A) await check('remove', () => api('DELETE', `/volumes/${names[2]}`), is(204))
  const nets = A ? ['front', 'back'] : ['inner', 'outer', 'side']
  for (const Name of nets)
    await check(
      'network',
      () => api('POST', '/networks/create', { Name, CheckDuplicate: true }),
      ({ s, b }) => s === 201 && b.Id.length === 64,
    )
  await check(
    'network again',
    () => api('POST', '/networks/create', { Name: nets[0], CheckDuplicate: true }),
    (x) => x.s >= 400,
  )
  await check(
    'inspect network',
    () => api('GET', `/networks/${nets[1]}`),
    ({ s, b }) => s === 200 && b.Name === nets[1],
  )
  await check('network none', () => api('GET', `/networks/${A ? 'nonet' : 'nilnet'}`), is(404))
  await check(
    'networks',
    () => api('GET', '/networks'),
    ({ b }) => b.length === nets.length + 1,
  )
  await check('remove network', () => api('DELETE', `/networks/${nets[0]}`), is(204))
  await check(
    'networks',
    () => api('GET', '/networks'),
    ({ b }) => b.length === nets.length,
  )
  await check(
    'containers',
    () => api('GET', '/containers/json?all=1'),
    ({ b }) => b.length === 0,
  )
  await check('container none', () => api('GET', `/containers/${A ? 'web' : 'db'}/json`), is(404))
  const secrets = A ? ['key', 'pass'] : ['token', 'pin', 'seed']
  const made = []
  for (const Name of secrets)
    made.push(
      await check(
        'secret',
        () => api('POST', '/secrets/create', { Name, Data: Buffer.from(Name).toString('base64') }),
        ({ s, b }) => s === 200 && b.ID.length > 10,
      ),
    )
  await check(
    'secret again',
    () => api('POST', '/secrets/create', { Name: secrets[1], Data: 'eA==' }),
    (x) => x.s >= 400,
  )
  await check(
    'secrets',
    () => api('GET', '/secrets'),
    ({ b }) => b.length === secrets.length,
  )
  await check(
    'inspect secret',
    () => api('GET', `/secrets/${made[1]?.b.ID}`),
    ({ b }) => b.Spec.Name === secrets[1],
  )
  await check('remove secret', () => api('DELETE', `/secrets/${made[0]?.b.ID}`), is(204))
  await check('secret none', () => api('GET', `/secrets/${made[0]?.b.ID}`), is(404))
}
