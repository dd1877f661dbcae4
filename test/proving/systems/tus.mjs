import { createServer } from 'node:http'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import * as tus from 'tus-js-client'
import { listenHere } from '../server.ts'

export const keepsHost = true

export function start(directory) {
  const tusServer = new Server({ path: '/files', datastore: new FileStore({ directory }) })
  const server = createServer((request, response) => void tusServer.handle(request, response))
  return listenHere(server)
}

export async function session(base, which, check) {
  const v =
    which === 'A'
      ? {
          files: [
            ['a.txt', 'text/plain', Buffer.from('hello from the first file')],
            ['b.bin', 'application/octet-stream', Buffer.alloc(900, 7)],
          ],
          big: Buffer.alloc(2500, 'ab'),
          chunk: 1000,
        }
      : {
          files: [
            ['photo.png', 'image/png', Buffer.alloc(333, 1)],
            ['x.csv', 'text/csv', Buffer.from('a,b\n1,2\n')],
            ['y.csv', 'text/csv', Buffer.from('c\n')],
          ],
          big: Buffer.alloc(5000, 'q'),
          chunk: 2000,
        }
  const endpoint = `${base}/files`
  const upload = (buf, opts = {}) =>
    new Promise((ok, no) => {
      const u = new tus.Upload(buf, {
        endpoint,
        retryDelays: null,
        ...opts,
        onError: no,
        onSuccess: () => ok(u),
      })
      u.start()
    })
  const H = { 'Tus-Resumable': '1.0.0' }
  await check(
    'options',
    () => fetch(endpoint, { method: 'OPTIONS' }).then((r) => r.headers.get('tus-version')),
    (r) => r === '1.0.0',
  )
  const urls = []
  for (const [filename, filetype, buf] of v.files) {
    const u = await check(
      'upload',
      () => upload(buf, { metadata: { filename, filetype } }),
      (u) => u.url.includes('/files/'),
    )
    urls.push(u?.url)
  }
  for (const [i, [, , buf]] of v.files.entries()) {
    await check(
      'head',
      () =>
        fetch(urls[i], { method: 'HEAD', headers: H }).then((r) => [
          r.status,
          r.headers.get('upload-offset'),
          r.headers.get('upload-length'),
        ]),
      (r) => r.join() === `200,${buf.length},${buf.length}`,
    )
    await check(
      'get',
      async () => {
        const r = await fetch(urls[i])
        return [r.status, Buffer.from(await r.arrayBuffer())]
      },
      (r) => r[0] === 200 && r[1].equals(buf),
    )
  }
  await check(
    'chunks',
    () => upload(v.big, { chunkSize: v.chunk, metadata: { filename: 'big' } }),
    (u) => u.url,
  )
  let half
  await check(
    'interrupted',
    () =>
      new Promise((ok, no) => {
        const stop = async () => {
          await u.abort()
          half = u.url
          ok(half)
        }
        const u = new tus.Upload(v.big, {
          endpoint,
          chunkSize: v.chunk,
          retryDelays: null,
          metadata: { filename: 'half' },
          onError: no,
          onChunkComplete: () => void stop(),
        })
        u.start()
      }),
    (r) => r.includes('/files/'),
  )
  await check(
    'offset',
    () => fetch(half, { method: 'HEAD', headers: H }).then((r) => Number(r.headers.get('upload-offset'))),
    (r) => r === v.chunk,
  )
  await check(
    'wrong offset',
    () =>
      fetch(half, {
        method: 'PATCH',
        headers: { ...H, 'Upload-Offset': '1', 'Content-Type': 'application/offset+octet-stream' },
        body: 'x',
      }).then((r) => r.status),
    (r) => r === 409,
  )
  await check(
    'wrong type',
    () =>
      fetch(half, {
        method: 'PATCH',
        headers: { ...H, 'Upload-Offset': String(v.chunk), 'Content-Type': 'text/plain' },
        body: 'x',
      }).then((r) => r.status),
    (r) => r === 415 || r === 403,
  )
  await check(
    'resume',
    () => upload(v.big, { uploadUrl: half, chunkSize: v.chunk }),
    (u) => u.url === half,
  )
  await check(
    'get resumed',
    async () => {
      const r = await fetch(half)
      return Buffer.from(await r.arrayBuffer())
    },
    (r) => r.equals(v.big),
  )
  await check(
    'terminate',
    () => tus.Upload.terminate(urls[0]),
    (r, e) => !e,
  )
  await check(
    'head gone',
    () => fetch(urls[0], { method: 'HEAD', headers: H }).then((r) => r.status),
    (r) => r === 404 || r === 410,
  )
  await check(
    'get gone',
    () => fetch(urls[0]).then((r) => r.status),
    (r) => r === 404 || r === 410,
  )
  await check(
    'patch gone',
    () =>
      fetch(urls[0], {
        method: 'PATCH',
        headers: { ...H, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
        body: 'x',
      }).then((r) => r.status),
    (r) => r === 404 || r === 410,
  )
  await check(
    'head none',
    () => fetch(`${endpoint}/${which}nothing`, { method: 'HEAD', headers: H }).then((r) => r.status),
    (r) => r === 404,
  )
}
