import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startServer } from '../server.ts'

export const needs = ['qbittorrent-nox']

const FORMS =
  'what forms do to objects in maps, to lists of texts and to what magnet links name is not seen, since answers are empty'
export const short = { checks: FORMS, 'by rule': FORMS }

export function start(directory) {
  const home = join(directory, 'home')
  mkdirSync(home, { recursive: true })
  return startServer('qbittorrent-nox', (port) => [`--profile=${home}`, `--webui-port=${port}`], {
    env: { HOME: home },
  })
}

const VALUES = {
  A: {
    torrents: { Ubuntu: 'iso', Debian: 'iso' },
    categories: { iso: '/srv/iso', books: '/srv/books' },
    ...{ edited: '/srv/images', tags: ['fresh', 'linux'], newName: 'Ubuntu 24', limit: 20480 },
    feed: 'http://127.0.0.1:9/a.xml',
    prefs: { dht: false, max_ratio: 2 },
    wrong: 'secret-a',
  },
  B: {
    torrents: { Fedora: 'distro', Arch: 'distro', Mint: 'other' },
    categories: { distro: '/data/distro', other: '/data/other', films: '/data/films' },
    ...{ edited: '/data/all', tags: ['old', 'keep', 'seed'], newName: 'Fedora 40', limit: 51200 },
    feed: 'http://127.0.0.1:9/b.xml',
    prefs: { dht: true, max_ratio: 5 },
    wrong: 'secret-b',
  },
}

export async function session(base, which, check) {
  const v = VALUES[which]
  let cookie
  const request = async (path, options = {}) => {
    const headers = cookie === undefined ? {} : { cookie }
    const response = await fetch(`${base}/api/v2/${path}`, { ...options, headers })
    const text = await response.text()
    const set = response.headers.getSetCookie()[0]
    if (set !== undefined) cookie = /^\w+=;/.test(set) ? undefined : set.split(';')[0]
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { s: response.status, b: isJson ? JSON.parse(text) : text }
  }
  const get = (path, query = {}) => request(`${path}?${new URLSearchParams(query)}`)
  const post = (path, form = {}) => request(path, { method: 'POST', body: new URLSearchParams(form) })
  const step = (name, run, isRight = () => true) =>
    check(name, run, (answer) => answer.s === 200 && isRight(answer.b))
  const hashOf = (name) => createHash('sha1').update(name).digest('hex')
  await check(
    'refused',
    () => get('app/version'),
    ({ s }) => s === 403,
  )
  await step(
    'wrong login',
    () => post('auth/login', { username: 'admin', password: v.wrong }),
    (b) => b === 'Fails.',
  )
  await step(
    'login',
    () => post('auth/login', { username: 'admin', password: 'adminadmin' }),
    (b) => b === 'Ok.',
  )
  await step(
    'version',
    () => get('app/version'),
    (b) => b.startsWith('v'),
  )
  await step(
    'api version',
    () => get('app/webapiVersion'),
    (b) => /^\d/.test(b),
  )
  await step(
    'none',
    () => get('torrents/info'),
    (b) => b.length === 0,
  )
  await step(
    'categories',
    () => get('torrents/categories'),
    (b) => Object.keys(b).length === 0,
  )
  for (const [category, savePath] of Object.entries(v.categories)) {
    await step('create category', () => post('torrents/createCategory', { category, savePath }))
  }
  await step(
    'categories',
    () => get('torrents/categories'),
    (b) =>
      Object.entries(v.categories).every(
        ([name, path]) => b[name]?.savePath === path && b[name].name === name,
      ) && Object.keys(b).length === Object.keys(v.categories).length,
  )
  const [first] = Object.keys(v.categories)
  await check(
    'category again',
    () => post('torrents/createCategory', { category: first, savePath: '/x' }),
    ({ s }) => s === 409,
  )
  await step('edit category', () => post('torrents/editCategory', { category: first, savePath: v.edited }))
  await step(
    'categories',
    () => get('torrents/categories'),
    (b) => b[first]?.savePath === v.edited,
  )
  await step('create tags', () => post('torrents/createTags', { tags: v.tags.join(',') }))
  await step(
    'tags',
    () => get('torrents/tags'),
    (b) => b.toSorted().join() === v.tags.toSorted().join(),
  )
  for (const [name, category] of Object.entries(v.torrents)) {
    const urls = `magnet:?xt=urn:btih:${hashOf(name)}&dn=${name}`
    await step(
      'add',
      () => post('torrents/add', { urls, category, paused: 'true' }),
      (b) => b === 'Ok.',
    )
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  const names = Object.keys(v.torrents)
  await step(
    'list',
    () => get('torrents/info'),
    (b) =>
      b
        .map((each) => each.name)
        .toSorted()
        .join() === names.toSorted().join() && b.every((each) => each.hash === hashOf(each.name)),
  )
  await step(
    'list category',
    () => get('torrents/info', { category: v.torrents[names[0]] }),
    (b) => b.length === names.filter((name) => v.torrents[name] === v.torrents[names[0]]).length,
  )
  const hash = hashOf(names[0])
  await step(
    'properties',
    () => get('torrents/properties', { hash }),
    (b) => b.save_path.length > 0 && b.name === names[0],
  )
  await step('rename', () => post('torrents/rename', { hash, name: v.newName }))
  await step(
    'one',
    () => get('torrents/info', { hashes: hash }),
    (b) => b.length === 1 && b[0].name === v.newName,
  )
  await step('add tags', () => post('torrents/addTags', { hashes: hash, tags: v.tags[0] }))
  await step(
    'one',
    () => get('torrents/info', { hashes: hash }),
    (b) => b.length === 1 && b[0].tags === v.tags[0],
  )
  await step('set limit', () => post('torrents/setDownloadLimit', { hashes: hash, limit: v.limit }))
  await step(
    'one',
    () => get('torrents/info', { hashes: hash }),
    (b) => b.length === 1 && b[0].dl_limit === v.limit,
  )
  await step('set category', () => post('torrents/setCategory', { hashes: hash, category: '' }))
  await step(
    'one',
    () => get('torrents/info', { hashes: hash }),
    (b) => b.length === 1 && b[0].category === '',
  )
  await check(
    'rename none',
    () => post('torrents/rename', { hash: hashOf(which), name: 'x' }),
    ({ s }) => s === 404,
  )
  await check(
    'properties none',
    () => get('torrents/properties', { hash: hashOf(which) }),
    ({ s }) => s === 404,
  )
  await step('set preferences', () => post('app/setPreferences', { json: JSON.stringify(v.prefs) }))
  await step(
    'preferences',
    () => get('app/preferences'),
    (b) => Object.entries(v.prefs).every(([name, value]) => b[name] === value),
  )
  await step('add feed', () => post('rss/addFolder', { path: which }))
  await step(
    'feeds',
    () => get('rss/items'),
    (b) => Object.keys(b).join() === which,
  )
  await step('delete', () => post('torrents/delete', { hashes: hash, deleteFiles: 'false' }))
  await step(
    'list',
    () => get('torrents/info'),
    (b) => b.length === names.length - 1,
  )
  await step('delete tags', () => post('torrents/deleteTags', { tags: v.tags[1] }))
  await step(
    'tags',
    () => get('torrents/tags'),
    (b) => !b.includes(v.tags[1]) && b.length === v.tags.length - 1,
  )
  await step('remove category', () => post('torrents/removeCategories', { categories: first }))
  await step(
    'categories',
    () => get('torrents/categories'),
    (b) => !(first in b) && Object.keys(b).length === Object.keys(v.categories).length - 1,
  )
  await check(
    'unknown',
    () => get('torrents/none'),
    ({ s }) => s === 404,
  )
  await step('logout', () => post('auth/logout'))
  await check(
    'refused',
    () => get('torrents/info'),
    ({ s }) => s === 403,
  )
}
