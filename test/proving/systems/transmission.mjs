import { createHash } from 'node:crypto'
import { startServer } from '../server.ts'

export const needs = ['transmission-daemon']

export function start(directory) {
  const args = (port) =>
    `-f -g ${directory} -w ${directory} -p ${port} -r 127.0.0.1 -a 127.0.0.1 -T -M -O -Y --no-utp -P 0`.split(
      ' ',
    )
  return startServer('transmission-daemon', args, { env: { HOME: directory } })
}

const WORDS = {
  A: {
    names: ['debian-12.iso', 'fedora-40.iso', 'arch-2024.iso', 'alpine-3.iso'],
    labels: ['linux', 'stable'],
    limit: 50,
    down: 120,
    bad: 'no torrent at all',
  },
  B: {
    names: ['song.flac', 'album.zip', 'cover.png', 'notes.pdf', 'film.mkv'],
    labels: ['music'],
    limit: 75,
    down: 300,
    bad: 'nonsense',
  },
}

/** A link to a torrent by its name. */
function torrentOf(name) {
  const hash = createHash('sha1').update(name).digest('hex')
  return { hash, magnet: `magnet:?xt=urn:btih:${hash}&dn=${encodeURIComponent(name)}` }
}

export async function session(base, which, check) {
  const w = WORDS[which]
  let [id, tag] = ['', 0]
  // As its specification says: the id of the session is taken from the answer that refuses a request without it.
  const send = async (body) => {
    const response = await fetch(`${base}/transmission/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(id !== '' && { 'x-transmission-session-id': id }) },
      body: JSON.stringify(body),
    })
    if (response.status !== 409) return response.json()
    id = response.headers.get('x-transmission-session-id')
    await response.text()
    return send(body)
  }
  const call = (method, args) => send({ method, arguments: args, tag: ++tag })
  const step = (name, method, args, isRight) =>
    check(
      name,
      () => call(method, args),
      (answer) => answer?.tag === tag && answer.result === 'success' && isRight(answer.arguments),
    )
  const namesOf = ({ torrents }) => torrents.map(({ name }) => name).join()

  await step(
    'session',
    'session-get',
    undefined,
    (a) => a['rpc-version'] === 16 && a['speed-limit-down'] === 100,
  )
  await step('none yet', 'torrent-get', { fields: ['id', 'name'] }, (a) => a.torrents.length === 0)
  const added = []
  for (const name of w.names) {
    const { hash, magnet } = torrentOf(name)
    const answer = await step(
      'add',
      'torrent-add',
      { filename: magnet, paused: true },
      (a) => a['torrent-added'].name === name && a['torrent-added'].hashString === hash,
    )
    added.push(answer?.arguments?.['torrent-added'])
  }
  await step(
    'add again',
    'torrent-add',
    { filename: torrentOf(w.names[1]).magnet, paused: true },
    (a) => a['torrent-duplicate'].id === added[1].id && a['torrent-duplicate'].name === w.names[1],
  )
  await check(
    'add nonsense',
    () => call('torrent-add', { filename: w.bad, paused: true }),
    ({ result }) => result === 'invalid or corrupt torrent file',
  )
  await step(
    'list',
    'torrent-get',
    { fields: ['id', 'name', 'status', 'totalSize', 'hashString'] },
    (a) =>
      namesOf(a) === w.names.join() &&
      a.torrents.every(
        ({ hashString, status }, at) => status === 0 && hashString === torrentOf(w.names[at]).hash,
      ),
  )
  for (const at of which === 'A' ? [0, 2] : [1, 3, 0])
    await step(
      'get',
      'torrent-get',
      { ids: [added[at]?.id], fields: ['id', 'name', 'percentDone', 'labels'] },
      (a) =>
        namesOf(a) === w.names[at] && a.torrents[0].percentDone === 0 && a.torrents[0].labels.length === 0,
    )
  await step(
    'get by hash',
    'torrent-get',
    { ids: [added[1]?.hashString], fields: ['id', 'name'] },
    (a) => namesOf(a) === w.names[1] && a.torrents[0].id === added[1].id,
  )
  await step(
    'get none',
    'torrent-get',
    { ids: [added.at(-1)?.id + 40], fields: ['id', 'name'] },
    (a) => namesOf(a) === '',
  )
  await step(
    'label',
    'torrent-set',
    { ids: [added[0]?.id], labels: w.labels },
    (a) => Object.keys(a).length === 0,
  )
  await step(
    'labelled',
    'torrent-get',
    { ids: [added[0]?.id], fields: ['id', 'name', 'labels'] },
    (a) => a.torrents[0].labels.join() === w.labels.join(),
  )
  await step(
    'limit',
    'torrent-set',
    { ids: [added[0]?.id, added[1]?.id], downloadLimit: w.limit, downloadLimited: true },
    (a) => Object.keys(a).length === 0,
  )
  await step(
    'limited',
    'torrent-get',
    { ids: added.slice(0, 3).map((each) => each?.id), fields: ['id', 'downloadLimit', 'downloadLimited'] },
    (a) =>
      a.torrents.map(({ downloadLimited }) => downloadLimited).join() === 'true,true,false' &&
      a.torrents[1].downloadLimit === w.limit,
  )
  await step(
    'table',
    'torrent-get',
    { fields: ['id', 'name'], format: 'table' },
    (a) => a.torrents[0].join() === 'id,name' && a.torrents[2][1] === w.names[1],
  )
  await step('stats', 'session-stats', undefined, (a) => a.torrentCount === w.names.length)
  await step(
    'set session',
    'session-set',
    { 'speed-limit-down': w.down, 'speed-limit-down-enabled': true },
    (a) => Object.keys(a).length === 0,
  )
  await step(
    'session changed',
    'session-get',
    { fields: ['speed-limit-down', 'speed-limit-down-enabled'] },
    (a) => a['speed-limit-down'] === w.down && a['speed-limit-down-enabled'] === true,
  )
  await step('remove', 'torrent-remove', { ids: [added[2]?.id] }, (a) => Object.keys(a).length === 0)
  await step(
    'removed',
    'torrent-get',
    { ids: [added[2]?.id], fields: ['id', 'name'] },
    (a) => namesOf(a) === '',
  )
  await step('remove none', 'torrent-remove', { ids: [added[2]?.id] }, (a) => Object.keys(a).length === 0)
  await step(
    'list after',
    'torrent-get',
    { fields: ['id', 'name'] },
    (a) => namesOf(a) === w.names.filter((_, at) => at !== 2).join(),
  )
  await step('stats after', 'session-stats', undefined, (a) => a.torrentCount === w.names.length - 1)
  await check(
    'no such method',
    () => call(`torrent-${which === 'A' ? 'fly' : 'swim'}`, {}),
    ({ result }) => result === 'method name not recognized',
  )
}
