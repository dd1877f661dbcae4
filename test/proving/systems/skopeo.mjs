import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { runCommand, startServer } from '../server.ts'

export const needs = ['docker-registry', 'skopeo']

export function start(directory) {
  const file = join(directory, 'registry.yml')
  const data = join(directory, 'data')
  return startServer('docker-registry', (port) => {
    writeFileSync(
      file,
      `version: 0.1\nstorage: { filesystem: { rootdirectory: ${data} } }\nhttp: { addr: 127.0.0.1:${port} }\n`,
    )
    return ['serve', file]
  })
}

/** An image with layers of its own and one that all have, as a folder in OCI's layout. @returns the digest of its manifest. */
export function writeImage(directory, name, layers) {
  const put = (bytes) => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    writeFileSync(join(directory, 'blobs/sha256', hash), bytes)
    return { digest: `sha256:${hash}`, size: bytes.length }
  }
  mkdirSync(join(directory, 'blobs/sha256'), { recursive: true })
  const contents = ['common', ...Array.from({ length: layers }, (_, at) => `${name} ${at}`)].map((text) =>
    tarOf(text.repeat(200)),
  )
  const rootfs = {
    type: 'layers',
    diff_ids: contents.map((bytes) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`),
  }
  const type = (kind) => `application/vnd.oci.image.${kind}`
  const config = put(
    Buffer.from(JSON.stringify({ architecture: 'amd64', os: 'linux', config: { Labels: { name } }, rootfs })),
  )
  const manifest = put(
    Buffer.from(
      JSON.stringify({
        schemaVersion: 2,
        mediaType: type('manifest.v1+json'),
        config: { mediaType: type('config.v1+json'), ...config },
        layers: contents.map((bytes) => ({ mediaType: type('layer.v1.tar+gzip'), ...put(gzipSync(bytes)) })),
      }),
    ),
  )
  const reference = { 'org.opencontainers.image.ref.name': 'v1' }
  const manifests = [{ mediaType: type('manifest.v1+json'), ...manifest, annotations: reference }]
  writeFileSync(join(directory, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}')
  writeFileSync(join(directory, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }))
  return manifest.digest
}

/** A tar archive of one file (POSIX.1-1988, ustar). */
function tarOf(text) {
  const header = Buffer.alloc(512)
  const octal = (value, width) => value.toString(8).padStart(width - 1, '0')
  const fields = {
    0: 'file.txt',
    100: octal(0o644, 8),
    108: octal(0, 8),
    116: octal(0, 8),
    124: octal(text.length, 12),
    136: octal(0, 12),
    148: ' '.repeat(8),
    156: '0',
    257: 'ustar',
    263: '00',
  }
  for (const [at, value] of Object.entries(fields)) header.write(value, Number(at), 'latin1')
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    )}\0 `,
    148,
    'latin1',
  )
  const padding = Buffer.alloc((512 - (text.length % 512)) % 512)
  return Buffer.concat([header, Buffer.from(text), padding, Buffer.alloc(1024)])
}

async function copy(from, to) {
  const { code, stderr } = await runCommand('skopeo', [
    'copy',
    '--src-tls-verify=false',
    '--dest-tls-verify=false',
    from,
    to,
  ])
  if (code !== 0) throw new Error(stderr.slice(-300))
}

/** Pushes an image, pulls it, and compares what came back. Uploads to one repository begin with the same request. */
const client = (name, repository, layers) => async (base, check, directory) => {
  const [image, back] = [join(directory, 'image'), join(directory, 'back')]
  const remote = `docker://${base.replace('http://', '')}/${repository}`
  writeImage(image, name, layers)
  await check('push', () => copy(`oci:${image}:v1`, remote))
  await check('pull', () => copy(remote, `oci:${back}:v1`))
  await check(
    'same bytes',
    () => runCommand('diff', ['-r', join(image, 'blobs'), join(back, 'blobs')]),
    ({ code }) => code === 0,
  )
}

export const clients = [
  client('web', 'team/app:web', 5),
  client('db', 'team/app:db', 3),
  client('cli', 'tools/cli:v1', 1),
]
