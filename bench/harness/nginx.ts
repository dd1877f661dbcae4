import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import type { ServerCommand } from './server.ts'

const KIB = 1024
/** The files that are served, by their names. */
const SIZES: Readonly<Record<string, number>> = { '1k': KIB, '100k': 100 * KIB, '10m': 10 * KIB * KIB }
/** A short answer of JSON. */
const SHORT = JSON.stringify({
  ...{ id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', name: 'Ada Lovelace', email: 'ada@example.com', age: 36 },
  ...{
    created_at: '2026-01-01T00:00:00Z',
    bio: 'Wrote the first program for a machine that nobody had built. ',
  },
  ...{ tags: ['mathematics', 'engines'] },
})
/** An answer of JSON that is never the same, with what nginx writes an identifier of 32 letters for. */
const FRESH = JSON.stringify(
  Array.from({ length: 7 }, (_, index) => ({
    ...{ id: '$request_id', name: `Ada Lovelace ${index}`, email: `ada${index}@example.com` },
    ...{ age: 36, created_at: '2026-01-05T10:00:00Z' },
  })),
)

/** How many bytes what is served has, by its name. */
export const FILES: Readonly<Record<string, number>> = {
  ...SIZES,
  short: SHORT.length,
  fresh: FRESH.replaceAll('$request_id', '0'.repeat(32)).length,
}

/** An nginx that serves files and texts of fixed sizes, on the core of the load. */
export async function upstreamServer(parent: string): Promise<ServerCommand> {
  return nginx(parent, 'nginx with files', 1, async (folder) => {
    await mkdir(join(folder, 'www'))
    for (const [name, size] of Object.entries(SIZES))
      await writeFile(join(folder, 'www', name), 'x'.repeat(size))
    return `location / { root ${join(folder, 'www')}; index 1k; }
      location = /short { default_type application/json; return 200 '${SHORT}'; }
      location = /fresh { default_type application/json; return 200 '${FRESH}'; }`
  })
}

/** An nginx that passes requests on, over connections that it keeps. */
export async function passingServer(upstream: string, parent: string): Promise<ServerCommand> {
  const { host } = new URL(upstream)
  return nginx(
    parent,
    'nginx proxy_pass',
    0,
    async () =>
      'location / { proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection ""; }',
    `upstream up { server ${host}; keepalive 64; }`,
  )
}

async function nginx(
  parent: string,
  name: string,
  core: number,
  locationIn: (folder: string) => Promise<string>,
  upstreams = '',
): Promise<ServerCommand> {
  const folder = await mkdtemp(join(parent, 'nginx-'))
  const port = await freePort()
  const location = await locationIn(folder)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join(' ')
  const config = `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr error;
events { worker_connections 1024; }
http { access_log off; keepalive_requests 1000000000; sendfile on; ${temporary} ${upstreams}
  server { listen 127.0.0.1:${port}; ${location} } }\n`
  const file = join(folder, 'nginx.conf')
  await writeFile(file, config)
  return {
    name,
    core,
    command: 'nginx',
    args: ['-c', file, '-p', folder],
    url: `http://127.0.0.1:${port}`,
  }
}

/** A port that nobody listens to right now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
