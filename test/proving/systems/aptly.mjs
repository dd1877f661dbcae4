import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonClient, startServer } from '../server.ts'

export const needs = ['aptly']
export const short = {
  checks: 'names of files that were uploaded are listed as plain texts',
}

export function start(directory) {
  const config = join(directory, 'aptly.conf')
  writeFileSync(config, JSON.stringify({ rootDir: join(directory, 'root'), architectures: ['amd64'] }))
  const env = { HOME: directory, GIN_MODE: 'release' }
  return startServer('aptly', (port) => ['api', 'serve', `-listen=127.0.0.1:${port}`, `-config=${config}`], {
    env,
  })
}

const VALUES = {
  A: {
    repos: ['main', 'extra', 'testing'],
    comment: 'For all',
    changed: 'For some',
    snapshots: ['spring', 'summer'],
    folders: ['incoming', 'later'],
    files: ['one.deb', 'two.deb'],
    none: 'nothing',
  },
  B: {
    repos: ['stable', 'fresh'],
    comment: 'For us',
    changed: 'For them',
    snapshots: ['monday', 'friday', 'sunday'],
    folders: ['uploads', 'drafts'],
    files: ['x.deb', 'y.deb', 'z.deb'],
    none: 'absent',
  },
}

export async function session(base, which, check) {
  const { repos, comment, changed, snapshots, folders, files, none } = VALUES[which]
  const call = jsonClient(`${base}/api`)
  const [folder] = folders
  const upload = async (to, name) => {
    const form = new FormData()
    form.append('file', new Blob([`The package ${name}`]), name)
    const response = await fetch(`${base}/api/files/${to}`, { method: 'POST', body: form })
    return { s: response.status, b: await response.json() }
  }
  const names = ({ b }) =>
    b
      .map(({ Name }) => Name)
      .toSorted()
      .join()
  await check(
    'version',
    () => call('GET', '/version'),
    ({ s, b }) => s === 200 && b.Version.length > 0,
  )
  await check(
    'no repos',
    () => call('GET', '/repos'),
    ({ s, b }) => s === 200 && b.length === 0,
  )
  for (const Name of repos)
    await check(
      'create',
      () =>
        call('POST', '/repos', {
          Name,
          Comment: comment,
          DefaultDistribution: Name,
          DefaultComponent: 'main',
        }),
      ({ s, b }) => s === 201 && b.Name === Name && b.Comment === comment,
    )
  await check(
    'create again',
    () => call('POST', '/repos', { Name: repos[1] }),
    ({ s, b }) => s >= 400 && JSON.stringify(b).includes(repos[1]),
  )
  await check(
    'create nameless',
    () => call('POST', '/repos', { Comment: comment }),
    ({ s }) => s === 400,
  )
  for (const name of repos)
    await check(
      'read',
      () => call('GET', `/repos/${name}`),
      ({ s, b }) => s === 200 && b.Name === name && b.DefaultDistribution === name,
    )
  await check(
    'read none',
    () => call('GET', `/repos/${none}`),
    ({ s, b }) => s === 404 && JSON.stringify(b).includes(none),
  )
  await check(
    'repos',
    () => call('GET', '/repos'),
    (answer) => names(answer) === [...repos].toSorted().join(),
  )
  await check(
    'change',
    () => call('PUT', `/repos/${repos[0]}`, { Comment: changed }),
    ({ s, b }) => s === 200 && b.Comment === changed && b.DefaultDistribution === repos[0],
  )
  await check(
    'change none',
    () => call('PUT', `/repos/${none}`, { Comment: changed }),
    ({ s }) => s === 404,
  )
  await check(
    'read changed',
    () => call('GET', `/repos/${repos[0]}`),
    ({ b }) => b.Comment === changed,
  )
  await check(
    'packages',
    () => call('GET', `/repos/${repos[0]}/packages`),
    ({ s, b }) => s === 200 && b.length === 0,
  )
  for (const each of folders)
    for (const name of files)
      await check(
        'upload',
        () => upload(each, name),
        ({ s, b }) => s === 200 && b[0] === `${each}/${name}`,
      )
  await check(
    'folders',
    () => call('GET', '/files'),
    ({ b }) => b.toSorted().join() === folders.toSorted().join(),
  )
  await check(
    'files',
    () => call('GET', `/files/${folder}`),
    ({ b }) => b.join() === files.join(),
  )
  await check(
    'files',
    () => call('GET', `/files/${folders[1]}`),
    ({ b }) => b.join() === files.join(),
  )
  await check(
    'delete file',
    () => call('DELETE', `/files/${folder}/${files[0]}`),
    ({ s }) => s === 200,
  )
  await check(
    'files after',
    () => call('GET', `/files/${folder}`),
    ({ b }) => b.join() === files.slice(1).join(),
  )
  await check(
    'files of none',
    () => call('GET', `/files/${none}`),
    ({ s }) => s === 404,
  )
  for (const Name of snapshots)
    await check(
      'snapshot',
      () => call('POST', `/repos/${repos[1]}/snapshots`, { Name, Description: comment }),
      ({ s, b }) => s === 201 && b.Name === Name && b.Description === comment,
    )
  await check(
    'snapshot again',
    () => call('POST', `/repos/${repos[1]}/snapshots`, { Name: snapshots[0] }),
    ({ s }) => s >= 400,
  )
  await check(
    'snapshot of none',
    () => call('POST', `/repos/${none}/snapshots`, { Name: 'x' }),
    ({ s }) => s === 404,
  )
  for (const name of snapshots)
    await check(
      'read snapshot',
      () => call('GET', `/snapshots/${name}`),
      ({ s, b }) => s === 200 && b.Name === name,
    )
  await check(
    'snapshots',
    () => call('GET', '/snapshots'),
    (answer) => names(answer) === [...snapshots].toSorted().join(),
  )
  await check(
    'delete snapshot',
    () => call('DELETE', `/snapshots/${snapshots[0]}`),
    ({ s }) => s === 200,
  )
  await check(
    'read deleted snapshot',
    () => call('GET', `/snapshots/${snapshots[0]}`),
    ({ s }) => s === 404,
  )
  await check(
    'delete',
    () => call('DELETE', `/repos/${repos[0]}`),
    ({ s }) => s === 200,
  )
  await check(
    'read deleted',
    () => call('GET', `/repos/${repos[0]}`),
    ({ s }) => s === 404,
  )
  await check(
    'delete deleted',
    () => call('DELETE', `/repos/${repos[0]}`),
    ({ s }) => s === 404,
  )
  await check(
    'repos after',
    () => call('GET', '/repos'),
    (answer) => names(answer) === repos.slice(1).toSorted().join(),
  )
  await check(
    'publish nothing',
    () => call('GET', '/publish'),
    ({ s, b }) => s === 200 && b.length === 0,
  )
}
