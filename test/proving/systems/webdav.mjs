import { createRequire } from 'node:module'
import { createClient } from 'webdav'
import { freePort } from '../../free-port.ts'

const { v2 } = createRequire(import.meta.url)('webdav-server')

/** Files and folders (WebDAV, RFC 4918). */
export async function start() {
  const port = await freePort()
  const server = new v2.WebDAVServer({ port, hostname: '127.0.0.1' })
  await server.startAsync(port)
  return { url: `http://127.0.0.1:${port}`, stop: () => server.stopAsync() }
}

const SESSIONS = {
  A: {
    folder: 'docs',
    sub: 'drafts',
    files: { 'plan.txt': 'the plan', 'notes.txt': 'some notes', 'list.json': '{"a":1}', 'readme.md': '# hi' },
    copy: 'plan-copy.txt',
    moved: 'old-notes.txt',
    bytes: [1, 2, 3, 200],
    color: 'red',
  },
  B: {
    folder: 'photos',
    sub: 'raw files',
    files: { 'summer.txt': 'sun and sea', 'winter.txt': 'snow', 'index.json': '{"b":[1,2]}' },
    copy: 'summer-2.txt',
    moved: 'cold & white.txt',
    bytes: [9, 255, 0, 7, 8],
    color: 'green',
  },
}

export async function session(base, which, check) {
  const { folder, sub, files, copy, moved, bytes, color } = SESSIONS[which]
  const client = createClient(base)
  const names = Object.keys(files)
  const [first, second, third] = names
  const at = (name) => `/${folder}/${name}`
  const read = (name) => client.getFileContents(at(name), { format: 'text' })
  const failsWith = (status) => (_value, error) => error?.status === status
  const lists =
    (...wanted) =>
    (found) =>
      found
        .map(({ basename }) => basename)
        .toSorted()
        .join() === wanted.toSorted().join()
  const fine = (_value, error) => error === undefined

  await check('root', () => client.getDirectoryContents('/'), lists())
  await check(
    'exists none',
    () => client.exists(`/${folder}`),
    (found) => found === false,
  )
  await check('make', () => client.createDirectory(`/${folder}`), fine)
  await check('make again', () => client.createDirectory(`/${folder}`), failsWith(405))
  await check('make sub', () => client.createDirectory(at(sub)), fine)
  await check('make without parent', () => client.createDirectory(`/none/${sub}`), failsWith(409))
  for (const name of names)
    await check(
      'put',
      () => client.putFileContents(at(name), files[name]),
      (done) => done === true,
    )
  await check(
    'put bytes',
    () => client.putFileContents(at('data.bin'), Buffer.from(bytes)),
    (done) => done === true,
  )
  await check('put without parent', () => client.putFileContents('/none/a.txt', 'a'), failsWith(409))
  for (const name of names)
    await check(
      'get',
      () => read(name),
      (text) => text === files[name],
    )
  await check(
    'get bytes',
    () => client.getFileContents(at('data.bin')),
    (found) => Buffer.from(found).equals(Buffer.from(bytes)),
  )
  await check('get none', () => read('none.txt'), failsWith(404))
  for (const name of names)
    await check(
      'stat',
      () => client.stat(at(name)),
      ({ type, size, basename }) => type === 'file' && size === files[name].length && basename === name,
    )
  await check(
    'stat folder',
    () => client.stat(`/${folder}`),
    ({ type }) => type === 'directory',
  )
  await check('stat none', () => client.stat(at('none.txt')), failsWith(404))
  await check('list', () => client.getDirectoryContents(`/${folder}`), lists(...names, sub, 'data.bin'))
  await check(
    'overwrite',
    () => client.putFileContents(at(first), 'changed'),
    (done) => done === true,
  )
  await check(
    'get changed',
    () => read(first),
    (text) => text === 'changed',
  )
  await check(
    'stat changed',
    () => client.stat(at(first)),
    ({ size }) => size === 7,
  )
  await check('copy', () => client.copyFile(at(first), at(copy)), fine)
  await check(
    'get copy',
    () => read(copy),
    (text) => text === 'changed',
  )
  await check('copy none', () => client.copyFile(at('none.txt'), at('other.txt')), failsWith(404))
  await check('move', () => client.moveFile(at(second), at(moved)), fine)
  await check(
    'get moved',
    () => read(moved),
    (text) => text === files[second],
  )
  await check('get from', () => read(second), failsWith(404))
  await check(
    'list moved',
    () => client.getDirectoryContents(`/${folder}`),
    lists(first, moved, ...names.slice(2), copy, sub, 'data.bin'),
  )
  await check('move into', () => client.moveFile(at(third), at(`${sub}/${third}`)), fine)
  await check('list sub', () => client.getDirectoryContents(at(sub)), lists(third))
  await check(
    'set property',
    () =>
      client.customRequest(at(first), {
        method: 'PROPPATCH',
        headers: { 'Content-Type': 'application/xml' },
        data: `<?xml version="1.0"?><d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><d:color>${color}</d:color></d:prop></d:set></d:propertyupdate>`,
      }),
    ({ status }) => status === 207,
  )
  await check(
    'get property',
    async () => {
      const answer = await client.customRequest(at(first), {
        method: 'PROPFIND',
        headers: { 'Content-Type': 'application/xml', Depth: '0' },
        data: '<?xml version="1.0"?><d:propfind xmlns:d="DAV:"><d:prop><d:color/><d:getetag/><d:none/></d:prop></d:propfind>',
      })
      return answer.text()
    },
    (text) => text.includes(color) && text.includes('404'),
  )
  const lock = await check(
    'lock',
    () => client.lock(at(first)),
    ({ token }) => Boolean(token),
  )
  await check('put locked', () => client.putFileContents(at(first), 'no'), failsWith(423))
  await check('unlock', () => client.unlock(at(first), `<${lock?.token}>`), fine)
  await check('delete', () => client.deleteFile(at(copy)), fine)
  await check('delete again', () => client.deleteFile(at(copy)), failsWith(404))
  await check('get deleted', () => read(copy), failsWith(404))
  await check('delete folder', () => client.deleteFile(`/${folder}`), fine)
  await check('list gone', () => client.getDirectoryContents(`/${folder}`), failsWith(404))
  await check('root', () => client.getDirectoryContents('/'), lists())
}
