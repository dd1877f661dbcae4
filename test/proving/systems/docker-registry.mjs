import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, startServer } from '../server.ts'
import { writeImage } from './skopeo.mjs'

export const needs = ['docker-registry', 'skopeo']
export const keepsHost = true

export function start(directory) {
  const file = join(directory, 'registry.yml')
  return startServer('docker-registry', (port) => {
    const storage = `{ filesystem: { rootdirectory: ${join(directory, 'data')} }, delete: { enabled: true } }`
    writeFileSync(file, `version: 0.1\nstorage: ${storage}\nhttp: { addr: 127.0.0.1:${port} }\n`)
    return ['serve', file]
  })
}

const sha = (bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** Images are pushed, looked at, pulled, copied and deleted by skopeo; blobs and lists are requested as clients do. */
export async function session(base, which, check, directory) {
  const v =
    which === 'A'
      ? { repo: 'team/app', tags: ['1.0', 'latest'], layers: 1, other: 'tools', cut: 20, n: 1, bytes: [3, 9] }
      : {
          repo: 'org/deep/web',
          tags: ['v2', 'stable', 'edge'],
          layers: 2,
          other: 'cli',
          cut: 33,
          n: 2,
          bytes: [0, 4],
        }
  const [one, two] = ['one', 'two'].map((name) => join(directory, name))
  const first = writeImage(one, `${which} one`, v.layers)
  const second = writeImage(two, `${which} two`, v.layers)
  // What skopeo knows of blobs elsewhere is kept by user.
  const env = { _CONTAINERS_ROOTLESS_UID: '1000', XDG_DATA_HOME: join(directory, 'data') }
  const skopeo = async (command, ...args) => {
    const given = ['--insecure-policy', command, ...args]
    const { code, stdout, stderr } = await runCommand('skopeo', given, { env })
    if (code !== 0) throw new Error(stderr)
    return stdout
  }
  const [from, to, plain] = ['--src-tls-verify=false', '--dest-tls-verify=false', '--tls-verify=false']
  const at = (tag, repo = v.repo) =>
    `docker://${new URL(base).host}/${repo}${tag.startsWith('sha256:') ? '@' : ':'}${tag}`
  const ask = async (method, url, headers = {}, body) => {
    const answer = await fetch(new URL(url, base), {
      headers,
      redirect: 'manual',
      ...(method !== 'GET' && { method, body }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const header = (name) => answer.headers.get(name)
    const json = () => JSON.parse(bytes.toString())
    return {
      status: answer.status,
      bytes,
      header,
      json,
      code: bytes[0] === 123 ? json().errors?.[0]?.code : undefined,
    }
  }
  const unknown = (code) => (answer) => answer.status === 404 && answer.code === code
  const works = (_, error) => error === undefined
  const repo = `/v2/${v.repo}`

  await check(
    'base',
    () => ask('GET', '/v2/'),
    (r) => r.status === 200,
  )
  await check('tags of none', () => ask('GET', `${repo}/tags/list`), unknown('NAME_UNKNOWN'))
  for (const tag of v.tags) await check('push', () => skopeo('copy', to, `oci:${one}:v1`, at(tag)), works)
  await check('push two', () => skopeo('copy', to, `oci:${two}:v1`, at('next')), works)
  await check(
    'list tags',
    () => skopeo('list-tags', plain, `docker://${new URL(base).host}/${v.repo}`),
    (r) => JSON.parse(r).Tags.toSorted().join() === [...v.tags, 'next'].toSorted().join(),
  )
  await check(
    'inspect',
    () => skopeo('inspect', plain, at(v.tags[0])),
    (r) => JSON.parse(r).Digest === first,
  )
  await check(
    'inspect raw',
    () => skopeo('inspect', '--raw', plain, at('next')),
    (r) => sha(r) === second,
  )
  await check(
    'inspect config',
    () => skopeo('inspect', '--config', plain, at('next')),
    (r) => r.includes(`${which} two`),
  )
  await check('pull', () => skopeo('copy', from, at(v.tags[0]), `oci:${directory}/pulled:v1`), works)
  await check('pull by digest', () => skopeo('copy', from, at(second), `oci:${directory}/pulled2:v1`), works)
  await check('copy across', () => skopeo('copy', from, to, at(v.tags[0]), at('moved', v.other)), works)
  await check(
    'inspect moved',
    () => skopeo('inspect', plain, at('moved', v.other)),
    (r) => JSON.parse(r).Digest === first,
  )
  await check(
    'no tag',
    () => skopeo('inspect', plain, at('nothing')),
    (_, error) => /manifest unknown/.test(error?.message),
  )

  const names = [v.repo, v.other].toSorted()
  await check(
    'catalog',
    () => ask('GET', '/v2/_catalog'),
    (r) => r.json().repositories.join() === names.join(),
  )
  await check(
    'catalog page',
    () => ask('GET', '/v2/_catalog?n=1'),
    (r) => r.json().repositories.join() === names[0] && r.header('link')?.includes('last='),
  )
  await check(
    'catalog rest',
    () => ask('GET', `/v2/_catalog?n=5&last=${encodeURIComponent(names[0])}`),
    (r) => r.json().repositories.join() === names[1] && r.header('link') === null,
  )
  await check(
    'tags page',
    () => ask('GET', `${repo}/tags/list?n=${v.n}`),
    (r) => r.status === 200 && r.json().name === v.repo,
  )

  const manifest = await check(
    'manifest',
    () =>
      ask('GET', `${repo}/manifests/${v.tags[0]}`, { accept: 'application/vnd.oci.image.manifest.v1+json' }),
    (r) => sha(r.bytes) === first && r.header('docker-content-digest') === first,
  )
  await check(
    'head manifest',
    () =>
      ask('HEAD', `${repo}/manifests/${v.tags[0]}`, { accept: 'application/vnd.oci.image.manifest.v1+json' }),
    (r) =>
      r.header('docker-content-digest') === first &&
      Number(r.header('content-length')) === manifest.bytes.length,
  )
  await check(
    'head manifest by digest',
    () => ask('HEAD', `${repo}/manifests/${first}`, { accept: '*/*' }),
    (r) => r.status === 200 && r.header('content-type').includes('oci'),
  )
  await check(
    'same manifest',
    () =>
      ask('GET', `${repo}/manifests/${v.tags[0]}`, {
        accept: 'application/vnd.oci.image.manifest.v1+json',
        'if-none-match': `"${first}"`,
      }),
    (r) => r.status === 304,
  )
  await check(
    'no manifest',
    () => ask('GET', `${repo}/manifests/${sha(`${which} none`)}`),
    unknown('MANIFEST_UNKNOWN'),
  )
  await check(
    'manifest of none',
    () => ask('GET', `/v2/${v.other}/none/manifests/latest`),
    unknown('MANIFEST_UNKNOWN'),
  )
  await check(
    'bad manifest',
    () =>
      ask(
        'PUT',
        `${repo}/manifests/bad`,
        { 'content-type': 'application/vnd.oci.image.manifest.v1+json' },
        `{"schemaVersion":2,"${which}`,
      ),
    (r) => r.status === 400 && r.code === 'MANIFEST_INVALID',
  )
  await check(
    'tag again',
    () =>
      ask(
        'PUT',
        `${repo}/manifests/again`,
        { 'content-type': 'application/vnd.oci.image.manifest.v1+json' },
        manifest?.bytes,
      ),
    (r) => r.status === 201 && r.header('docker-content-digest') === first,
  )
  await check(
    'read again',
    () => ask('GET', `${repo}/manifests/again`, { accept: 'application/vnd.oci.image.manifest.v1+json' }),
    (r) => sha(r.bytes) === first,
  )

  await check('no blob', () => ask('GET', `${repo}/blobs/${sha(which)}`), unknown('BLOB_UNKNOWN'))
  await check(
    'head no blob',
    () => ask('HEAD', `${repo}/blobs/${sha(which)}`),
    (r) => r.status === 404,
  )
  const data = Buffer.from(`in chunks ${which.repeat(90)}`)
  const chunk = { 'content-type': 'application/octet-stream' }
  const begin = () =>
    check(
      'begin',
      () => ask('POST', `${repo}/blobs/uploads/`),
      (r) => r.status === 202 && r.header('docker-upload-uuid') !== null && r.header('range') === '0-0',
    )
  const append = (to, bytes, range) =>
    check(
      'chunk',
      () => ask('PATCH', to, { ...chunk, ...(range && { 'content-range': range }) }, bytes),
      (r) => r.status === 202,
    )
  const ending = (to, digest) => {
    const url = new URL(to, base)
    url.searchParams.set('digest', digest)
    return url.href
  }
  const upload = (await begin())?.header('location')
  const part = await append(upload, data.subarray(0, v.cut), `0-${v.cut - 1}`)
  await check(
    'status',
    () => ask('GET', part?.header('location')),
    (r) => r.status === 204 && r.header('range') === `0-${v.cut - 1}`,
  )
  const whole = await append(part?.header('location'), data.subarray(v.cut), `${v.cut}-${data.length - 1}`)
  await check(
    'range',
    () => whole,
    (r) => r.header('range') === `0-${data.length - 1}`,
  )
  await check(
    'finish',
    () => ask('PUT', ending(whole?.header('location'), sha(data))),
    (r) => r.status === 201 && r.header('docker-content-digest') === sha(data),
  )
  await check(
    'blob',
    () => ask('GET', `${repo}/blobs/${sha(data)}`),
    (r) => r.bytes.equals(data),
  )
  await check(
    'head blob',
    () => ask('HEAD', `${repo}/blobs/${sha(data)}`),
    (r) => Number(r.header('content-length')) === data.length,
  )
  const [start, end] = v.bytes
  await check(
    'part of blob',
    () => ask('GET', `${repo}/blobs/${sha(data)}`, { range: `bytes=${start}-${end}` }),
    (r) => r.status === 206 && r.bytes.equals(data.subarray(start, end + 1)),
  )
  const single = Buffer.from(`in one ${which}`)
  const put = (await begin())?.header('location')
  await check(
    'single',
    () => ask('PUT', ending(put, sha(single)), chunk, single),
    (r) => r.status === 201,
  )
  await check(
    'single blob',
    () => ask('GET', `${repo}/blobs/${sha(single)}`),
    (r) => r.bytes.equals(single),
  )
  await check(
    'no part of blob',
    () => ask('GET', `${repo}/blobs/${sha(single)}`, { range: `bytes=${single.length + v.cut}-` }),
    (r) => r.status === 416,
  )
  const wrong = (await begin())?.header('location')
  await check(
    'wrong digest',
    () => ask('PUT', ending(wrong, sha('other')), chunk, `text ${which}`),
    (r) => r.status === 400 && r.code === 'DIGEST_INVALID',
  )
  const given = (await begin())?.header('location')
  await check(
    'cancel',
    () => ask('DELETE', given),
    (r) => r.status === 204,
  )
  await check('cancelled', () => ask('GET', given), unknown('BLOB_UPLOAD_UNKNOWN'))
  await check(
    'mount',
    () => ask('POST', `/v2/${v.other}/blobs/uploads/?mount=${sha(data)}&from=${encodeURIComponent(v.repo)}`),
    (r) => r.status === 201 && r.header('docker-content-digest') === sha(data),
  )
  await check(
    'mounted',
    () => ask('GET', `/v2/${v.other}/blobs/${sha(data)}`),
    (r) => r.bytes.equals(data),
  )
  await check(
    'mount of none',
    () =>
      ask(
        'POST',
        `/v2/${v.other}/blobs/uploads/?mount=${sha(`${which}none`)}&from=${encodeURIComponent(v.repo)}`,
      ),
    (r) => r.status === 202,
  )

  await check(
    'delete tag',
    () => ask('DELETE', `${repo}/manifests/${v.tags[0]}`),
    (r) => r.status >= 400,
  )
  await check('delete', () => skopeo('delete', plain, at('next')), works)
  await check(
    'inspect deleted',
    () => skopeo('inspect', plain, at('next')),
    (_, error) => /manifest unknown/.test(error?.message),
  )
  await check(
    'delete manifest',
    () => ask('DELETE', `${repo}/manifests/${first}`),
    (r) => r.status === 202,
  )
  await check('deleted manifest', () => ask('GET', `${repo}/manifests/again`), unknown('MANIFEST_UNKNOWN'))
  await check(
    'delete none',
    () => ask('DELETE', `${repo}/manifests/${sha(`${which} gone`)}`),
    (r) => r.status === 404,
  )
  await check(
    'delete blob',
    () => ask('DELETE', `${repo}/blobs/${sha(data)}`),
    (r) => r.status === 202,
  )
  await check('deleted blob', () => ask('GET', `${repo}/blobs/${sha(data)}`), unknown('BLOB_UNKNOWN'))
  await check('delete no blob', () => ask('DELETE', `${repo}/blobs/${sha(data)}`), unknown('BLOB_UNKNOWN'))
}
