import { startServer } from '../server.ts'

export const needs = ['aria2c']

export function start(directory) {
  return startServer('aria2c', (port) => [
    ...['--enable-rpc=true', `--rpc-listen-port=${port}`, '--rpc-secret=s3cret', '--no-conf=true'],
    ...[`--dir=${directory}`, '--enable-dht=false', '--quiet=true'],
  ])
}

// The options of a download are a map of names.
export const isMap = (pointer) => /\/result(?:\/-)*\/options$/.test(pointer)

/** A client as the manual of aria2 describes it: JSON-RPC 2.0, whose first parameter is the secret. */
function createClient(base) {
  let last = 0
  const send = async (body) => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${base}/jsonrpc`, { method: 'POST', headers, body: JSON.stringify(body) })
    return response.json()
  }
  const call = (method, ...params) => {
    const secret = method.startsWith('system.') ? [] : ['token:s3cret']
    return { jsonrpc: '2.0', id: String(++last), method, params: [...secret, ...params] }
  }
  return {
    send,
    async ask(method, ...params) {
      const request = call(method, ...params)
      const answer = await send(request)
      if (answer.id !== request.id) throw new Error(`the answer is that to ${answer.id}`)
      if (answer.error !== undefined) throw Object.assign(new Error(answer.error.message), answer.error)
      return answer.result
    },
    batch: (...calls) => send(calls.map((each) => call(...each))),
  }
}

const VALUES = {
  A: {
    files: ['one.iso', 'two.zip', 'three.tar', 'four.gz', 'five.txt'],
    speed: '20480',
    none: '0123456789abcdef',
  },
  B: { files: ['alpha.deb', 'beta.rpm', 'gamma.apk', 'delta.msi'], speed: '40960', none: 'fedcba9876543210' },
}

export async function session(base, which, check) {
  const { files, speed, none } = VALUES[which]
  const aria2 = createClient(base)
  const { ask } = aria2
  const step = (name, [method, ...params], isRight) =>
    check(name, () => ask(`aria2.${method}`, ...params), isRight)
  const uriOf = (file) => `http://files.example/${file}`
  const fails = (part) => (_value, error) => error?.code === 1 && error.message.includes(part)
  await step(
    'version',
    ['getVersion'],
    ({ version, enabledFeatures }) => version.startsWith('1.') && enabledFeatures.length > 3,
  )
  await check(
    'methods',
    () => ask('system.listMethods'),
    (names) => names.includes('aria2.addUri'),
  )
  await check(
    'wrong secret',
    () => aria2.send({ jsonrpc: '2.0', id: 'x', method: 'aria2.getVersion', params: ['token:wrong'] }),
    ({ id, error }) => id === 'x' && error.message === 'Unauthorized',
  )
  await step('session', ['getSessionInfo'], ({ sessionId }) => sessionId.length > 0)
  await step(
    'stat',
    ['getGlobalStat'],
    ({ numWaiting, numActive }) => numWaiting === '0' && numActive === '0',
  )
  await step('none waiting', ['tellWaiting', 0, 10], (list) => list.length === 0)
  const gids = []
  for (const file of files)
    gids.push(
      await step('add', ['addUri', [uriOf(file)], { out: file, pause: 'true' }], (gid) =>
        /^[0-9a-f]{16}$/.test(gid),
      ),
    )
  await step('add nothing', ['addUri', []], fails('URI'))
  for (const [at, gid] of gids.entries())
    await step(
      'status',
      ['tellStatus', gid],
      (status) =>
        status.gid === gid && status.status === 'paused' && status.files[0].uris[0].uri === uriOf(files[at]),
    )
  for (const gid of gids.slice(1, 3))
    await step(
      'some of status',
      ['tellStatus', gid, ['gid', 'status']],
      (status) => Object.keys(status).length === 2 && status.gid === gid,
    )
  await step('status of none', ['tellStatus', none], fails(none))
  await step(
    'uris',
    ['getUris', gids[1]],
    ([{ uri, status }]) => uri === uriOf(files[1]) && status === 'waiting',
  )
  await step('waiting', ['tellWaiting', 0, 10], (list) => list.map(({ gid }) => gid).join() === gids.join())
  await step(
    'waiting page',
    ['tellWaiting', which === 'A' ? 1 : 2, 2, ['gid']],
    (list) =>
      list.map(({ gid }) => gid).join() ===
      gids
        .slice(which === 'A' ? 1 : 2)
        .slice(0, 2)
        .join(),
  )
  await step('active', ['tellActive'], (list) => list.length === 0)
  await step('stat', ['getGlobalStat'], ({ numWaiting }) => numWaiting === String(files.length))
  for (const gid of gids.slice(0, 2))
    await step(
      'option',
      ['getOption', gid],
      (options) => options.split === '5' && options['max-download-limit'] === '0',
    )
  await step(
    'change option',
    ['changeOption', gids[0], { 'max-download-limit': speed }],
    (result) => result === 'OK',
  )
  await step('option', ['getOption', gids[0]], (options) => options['max-download-limit'] === speed)
  await step('change option of none', ['changeOption', none, { 'max-download-limit': speed }], fails(none))
  await step('global option', ['getGlobalOption'], (options) => options['enable-rpc'] === 'true')
  await step(
    'change global',
    ['changeGlobalOption', { 'max-concurrent-downloads': which === 'A' ? '3' : '4' }],
    (result) => result === 'OK',
  )
  await step('move', ['changePosition', gids[2], 0, 'POS_SET'], (position) => position === 0)
  await step('pause', ['pause', gids[0]], fails('cannot be paused'))
  for (const gid of [gids[1], gids[3]]) await step('remove', ['remove', gid], (removed) => removed === gid)
  await step('remove none', ['remove', none], fails(none))
  await step('status removed', ['tellStatus', gids[1]], fails(gids[1]))
  await step('stopped', ['tellStopped', 0, 10], (list) => list.length === 0)
  await step('forget', ['removeDownloadResult', gids[3]], fails('not'))
  await step('purge', ['purgeDownloadResult'], (result) => result === 'OK')
  await step(
    'waiting after',
    ['tellWaiting', 0, 10],
    (list) => list.length === files.length - 2 && list.every(({ gid }) => gid !== gids[3]),
  )
  await check('no method', () => ask(which === 'A' ? 'aria2.fly' : 'aria2.swim'), fails('No such method'))
  await check(
    'batch',
    () => aria2.batch(['aria2.tellStatus', gids[0], ['gid']], ['aria2.getVersion']),
    ([first, second]) => first.result.gid === gids[0] && second.result.version !== undefined,
  )
  await check(
    'multicall',
    () =>
      ask('system.multicall', [
        { methodName: 'aria2.tellStatus', params: ['token:s3cret', gids[2], ['gid']] },
      ]),
    ([[{ gid }]]) => gid === gids[2],
  )
}
