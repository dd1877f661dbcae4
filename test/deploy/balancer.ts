import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programOf, untilOpen } from '../conformance/oracles.ts'
import { freePort } from '../free-port.ts'
import { atEnd } from '../at-end.ts'
import { openFolder } from '../flow/kit.ts'
import { ROOT } from '../flow/sim-process.ts'

/** The programs that samples of `config/deploy` are for. */
export const BALANCERS = ['haproxy', 'nginx'] as const
export type BalancerName = (typeof BALANCERS)[number]

/** Says of a program that is not there that it is not, where a test is left out for it. */
export function programFor(name: BalancerName, skip: (note: string) => never): string {
  const program = programOf(name)
  if (program !== undefined) return program
  process.stderr.write(
    `config/deploy is not run by ${name}, which is not installed: apt-get install ${name}\n`,
  )
  return skip(`needs ${name}, which is not installed`)
}

/**
 * Runs a sample of `config/deploy` as it is, but for its addresses, until the end.
 * @param gateways the ports of the gateways that it names
 * @returns where it listens
 */
export async function startBalancer(
  name: BalancerName,
  program: string,
  sample: string,
  gateways: readonly number[],
): Promise<string> {
  const port = await freePort()
  const text = addressed(readFileSync(join(ROOT, 'config/deploy', sample), 'utf8'), port, gateways)
  const folder = openFolder({ [sample]: text })
  const file = join(folder.path, sample)
  const args =
    name === 'haproxy'
      ? ['-db', '-q', '-f', file]
      : ['-e', 'stderr', '-p', folder.path, '-c', folder.write('main.conf', around(file, folder.path))]
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  atEnd(async () => {
    child.kill()
    await ended
  })
  await untilOpen(port, child)
  return `http://127.0.0.1:${port}`
}

/** @throws Error when the sample does not name as many gateways, or listens elsewhere */
function addressed(text: string, port: number, gateways: readonly number[]): string {
  const ports = new Map([[8080, port], ...gateways.map((each, index) => [8001 + index, each] as const)])
  const named = new Set<number>()
  const result = text.replaceAll(/127\.0\.0\.1:(\d+)/g, (_all, written: string) => {
    const real = ports.get(Number(written))
    if (real === undefined) throw new Error(`the sample names the port ${written}, which nothing listens to`)
    named.add(real)
    return `127.0.0.1:${real}`
  })
  if (named.size !== ports.size) throw new Error(`the sample names ${named.size} of ${ports.size} addresses`)
  return result
}

// What the system's own nginx.conf does, where nobody but the test can write.
function around(file: string, folder: string): string {
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr emerg;
events { worker_connections 512; }
http {
  access_log off;
  ${kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ')}
  include ${file};
}
`
}
