import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { atEnd } from '../at-end.ts'
import { openFolder } from '../flow/kit.ts'
import type { Entry } from './entries.ts'
import { freePort } from '../free-port.ts'

/** Other servers that forward, whose answers are a second opinion. */
export const ORACLES = ['nginx', 'haproxy'] as const
export type OracleName = (typeof ORACLES)[number]

const CONFIGS: Readonly<
  Record<OracleName, (port: number, upstream: number, folder: string, protocol: string) => string>
> = {
  nginx: (port, upstream, folder, protocol) => `
    daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
    events { worker_connections 512; }
    http {
      access_log off;
      client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f;
      uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
      server {
        listen 127.0.0.1:${port} ${protocol};
        location / { proxy_pass http://127.0.0.1:${upstream}; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }
    }`,
  haproxy: (port, upstream) => `
defaults
  mode http
  timeout connect 5s
  timeout client 5s
  timeout server 5s
frontend f
  bind 127.0.0.1:${port}
  default_backend b
backend b
  server u 127.0.0.1:${upstream}
`,
}

const ARGUMENTS: Readonly<Record<OracleName, (file: string, folder: string) => readonly string[]>> = {
  nginx: (file, folder) => ['-c', file, '-p', folder, '-e', `${folder}/log`],
  haproxy: (file) => ['-db', '-q', '-f', file],
}

/** Where a server's program is, if it is installed. */
export function programOf(name: OracleName): string | undefined {
  const path = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`
  const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { env: { PATH: path }, encoding: 'utf8' })
  return stdout.trim() || undefined
}

/** Starts another server in front of an upstream, until the end. @param protocol `http2` for nginx alone */
export async function startOracle(
  name: OracleName,
  program: string,
  upstream: number,
  protocol = '',
): Promise<Entry> {
  const folder = openFolder()
  const port = await freePort()
  const file = folder.write(`${name}.conf`, CONFIGS[name](port, upstream, folder.path, protocol))
  const child = spawn(program, [...ARGUMENTS[name](file, folder.path)], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  atEnd(async () => {
    child.kill()
    await ended
  })
  await untilOpen(port, child)
  return {
    ...{ name, isForwarding: true, reachesUpstream: true },
    ...{ target: '/', host: 'a.example' },
    open: () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }),
  }
}

/** Resolves once a process listens to a port. @throws Error when it ends before */
export async function untilOpen(port: number, child: { readonly exitCode: number | null }): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
  }
}
