import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['syncthing']

const KEY = { 'x-api-key': 'key-of-the-client' }

export function start(directory) {
  const home = join(directory, 'home')
  execFileSync('syncthing', ['generate', '--home', home, '--no-default-folder', '--skip-port-probing'], {
    stdio: 'ignore',
  })
  const file = join(home, 'config.xml')
  const config = readFileSync(file, 'utf8')
    .replaceAll(/(<(\w+Announce|relays|nat|crashReporting)Enabled>)true/g, '$1false')
    .replace('<listenAddress>default', '<listenAddress>tcp://127.0.0.1:0')
    .replace('<urAccepted>0', '<urAccepted>-1')
  writeFileSync(file, config)
  const flags = ['--no-browser', '--no-upgrade', '--no-restart', '--gui-apikey', KEY['x-api-key']]
  return startServer(
    'syncthing',
    (port) => ['serve', '--home', home, ...flags, '--gui-address', `http://127.0.0.1:${port}`],
    {
      env: { STNODEFAULTFOLDER: '1', HOME: home },
      isUp: async (url) => (await fetch(`${url}/rest/system/ping`, { headers: KEY })).ok,
    },
  )
}

// By the ids of devices and folders.
export const isMap = (pointer) => /^(\/(connections|params))?$/.test(pointer)

const VALUES = {
  A: {
    devices: {
      laptop: 'JURFOS6-T3PJIL6-DABXYXF-ON7PQUV-GTHPRPB-ZN72PTU-JGKYGU5-CNOUCQP',
      phone: 'RLCNXIN-KKAYR5T-C5H6XWG-6BP36YJ-SLB7DO4-XI2PXRC-GDXJTYS-U7M6PAZ',
      desk: '6XVAYYT-5KUB7CS-GLJVVBT-YQIMUAA-UE6LN46-CQBLSUS-6RN23PG-KEJ5UQ6',
    },
    folders: { photos: 'Photos', docs: 'Papers', music: 'Songs' },
    ...{ added: { id: 'notes', label: 'Notes' }, newLabel: 'All papers', interval: 120, ignore: '*.tmp' },
    ...{ none: 'nothing', message: 'disk is slow', rate: 250, filesystem: 'sendonly' },
  },
  B: {
    devices: {
      tablet: 'MZNM7XH-JXRQXSK-EP7QQSP-KFGD3HU-JJFJRUP-VU356AV-UHR6MWJ-67ZUDAF',
      server: 'BIWYF4Y-W3D6CTP-HJHJB6Z-ZKTAMLQ-TBOA24W-ROBBR4B-TMPK4CM-6YJACQL',
    },
    folders: { films: 'Films', code: 'Code', mail: 'Letters', games: 'Games' },
    ...{ added: { id: 'books', label: 'Books' }, newLabel: 'Sources', interval: 900, ignore: '*.o' },
    ...{ none: 'absent', message: 'battery is low', rate: 80, filesystem: 'receiveonly' },
  },
}

export async function session(base, which, check) {
  const c = jsonClient(`${base}/rest`, KEY)
  const v = VALUES[which]
  const [devices, folders] = [Object.entries(v.devices), Object.entries(v.folders)]
  const [[name, device], [, other]] = devices
  const [[photos, label], [docs], [music]] = folders
  const at = (folder) => `~/${folder}`
  const isFine = ({ s, b }) => s === 200 && b === ''
  const has =
    (wanted) =>
    ({ s, b }) =>
      s === 200 && Object.entries(wanted).every(([field, value]) => b[field] === value)
  const lists =
    (field, ...wanted) =>
    ({ s, b }) =>
      s === 200 && b.length === wanted.length && wanted.every((id) => b.some((each) => each[field] === id))

  await check('ping', () => c('GET', '/system/ping'), has({ ping: 'pong' }))
  await check(
    'no key',
    () => jsonClient(`${base}/rest`)('GET', '/config/folders'),
    ({ s }) => s === 403,
  )
  await check('version', () => c('GET', '/system/version'), has({ os: 'linux' }))
  const status = await check(
    'own status',
    () => c('GET', '/system/status'),
    ({ s, b }) => s === 200 && b.myID.length === 63,
  )
  const own = status?.b.myID
  await check('no folders', () => c('GET', '/config/folders'), lists('id'))
  await check('own device', () => c('GET', '/config/devices'), lists('deviceID', own))
  for (const [called, id] of devices) {
    await check('check id', () => c('GET', `/svc/deviceid?id=${id}`), has({ id }))
    await check('put device', () => c('PUT', `/config/devices/${id}`, { deviceID: id, name: called }), isFine)
    await check(
      'device',
      () => c('GET', `/config/devices/${id}`),
      has({ deviceID: id, name: called, compression: 'metadata', paused: false }),
    )
  }
  await check(
    'bad id',
    () => c('GET', `/svc/deviceid?id=${v.none}`),
    ({ b }) => b.error !== undefined,
  )
  await check(
    'devices',
    () => c('GET', '/config/devices'),
    lists('deviceID', own, ...devices.map(([, id]) => id)),
  )
  for (const [id, called] of folders) {
    const body = { id, label: called, path: at(id) }
    await check('post folder', () => c('POST', '/config/folders', body), isFine)
    await check(
      'folder',
      () => c('GET', `/config/folders/${id}`),
      (answer) =>
        has({ id, label: called, path: at(id), type: 'sendreceive', rescanIntervalS: 3600 })(answer) &&
        answer.b.devices.length === 1,
    )
  }
  const ids = folders.map(([id]) => id)
  await check('folders', () => c('GET', '/config/folders'), lists('id', ...ids))
  await check(
    'folder without id',
    () => c('POST', '/config/folders', { path: at('x') }),
    ({ s, b }) => s === 500 && b.includes('empty ID'),
  )
  await check(
    'no folder',
    () => c('GET', `/config/folders/${v.none}`),
    ({ s }) => s === 404,
  )
  await check(
    'no device',
    () => c('GET', `/config/devices/${v.none}`),
    ({ s }) => s === 404,
  )
  const change = { label: v.newLabel, rescanIntervalS: v.interval }
  await check('patch folder', () => c('PATCH', `/config/folders/${docs}`, change), isFine)
  await check('patched folder', () => c('GET', `/config/folders/${docs}`), has({ id: docs, ...change }))
  await check(
    'patch none',
    () => c('PATCH', `/config/folders/${v.none}`, change),
    ({ s }) => s === 404,
  )
  for (const id of [photos, docs]) {
    const shared = { devices: [{ deviceID: own }, { deviceID: device }] }
    await check('share folder', () => c('PATCH', `/config/folders/${id}`, shared), isFine)
    await check(
      'shared folder',
      () => c('GET', `/config/folders/${id}`),
      ({ s, b }) =>
        s === 200 && [own, device].every((each) => b.devices.some(({ deviceID }) => deviceID === each)),
    )
  }
  const whole = { ...v.added, path: at(v.added.id), type: v.filesystem }
  await check('put folder', () => c('PUT', `/config/folders/${v.added.id}`, whole), isFine)
  await check('put, read', () => c('GET', `/config/folders/${v.added.id}`), has(whole))
  await check('all folders', () => c('GET', '/config/folders'), lists('id', ...ids, v.added.id))
  await check('delete folder', () => c('DELETE', `/config/folders/${music}`), isFine)
  await check(
    'deleted folder',
    () => c('GET', `/config/folders/${music}`),
    ({ s }) => s === 404,
  )
  const left = [...ids.filter((id) => id !== music), v.added.id]
  await check('folders left', () => c('GET', '/config/folders'), lists('id', ...left))
  for (const id of [photos, docs]) {
    await check('status', () => c('GET', `/db/status?folder=${id}`), has({ globalFiles: 0, errors: 0 }))
    await check('completion', () => c('GET', `/db/completion?folder=${id}`), has({ completion: 100 }))
    await check('browse', () => c('GET', `/db/browse?folder=${id}`), lists('name'))
  }
  await check(
    'status of none',
    () => c('GET', `/db/status?folder=${v.none}`),
    ({ s }) => s === 404,
  )
  await check('ignores', () => c('GET', `/db/ignores?folder=${photos}`), has({ ignore: null }))
  const ignores = ({ s, b }) => s === 200 && b.ignore[0] === v.ignore && b.expanded.length > 1
  await check('set ignores', () => c('POST', `/db/ignores?folder=${photos}`, { ignore: [v.ignore] }), ignores)
  await check('ignores set', () => c('GET', `/db/ignores?folder=${photos}`), ignores)
  await check('pause', () => c('POST', `/system/pause?device=${device}`), isFine)
  await check('paused', () => c('GET', `/config/devices/${device}`), has({ name, paused: true }))
  await check('resume', () => c('POST', `/system/resume?device=${device}`), isFine)
  await check('resumed', () => c('GET', `/config/devices/${device}`), has({ name, paused: false }))
  await check('patch device', () => c('PATCH', `/config/devices/${other}`, { maxSendKbps: v.rate }), isFine)
  await check('patched device', () => c('GET', `/config/devices/${other}`), has({ maxSendKbps: v.rate }))
  await check('delete device', () => c('DELETE', `/config/devices/${other}`), isFine)
  await check(
    'deleted device',
    () => c('GET', `/config/devices/${other}`),
    ({ s }) => s === 404,
  )
  const without = [own, ...devices.map(([, id]) => id)].filter((id) => id !== other)
  await check('devices left', () => c('GET', '/config/devices'), lists('deviceID', ...without))
  await check('options', () => c('GET', '/config/options'), has({ maxSendKbps: 0 }))
  await check('patch options', () => c('PATCH', '/config/options', { maxSendKbps: v.rate }), isFine)
  await check('patched options', () => c('GET', '/config/options'), has({ maxSendKbps: v.rate }))
  await check('restart', () => c('GET', '/config/restart-required'), has({ requiresRestart: false }))
  await check('clear errors', () => c('POST', '/system/error/clear'), isFine)
  await check('no errors', () => c('GET', '/system/error'), has({ errors: null }))
  await check('folder again', () => c('GET', `/config/folders/${photos}`), has({ id: photos, label }))
  await check('defaults', () => c('GET', '/config/defaults/folder'), has({ id: '', type: 'sendreceive' }))
}
