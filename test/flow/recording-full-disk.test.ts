import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { collect, temporaryDirectory } from '../recording/samples.ts'
import { closeAll, closing } from './ways-in-setup.ts'

afterEach(closeAll)

const COMMAND = resolve(import.meta.dirname, '../../dist/src/cli/main.js')
const KIB_100 = 100 * 1024

/** A place of 1 MiB, if this user may make one. */
function mountSmallDisk(directory: string): boolean {
  try {
    mkdirSync(directory)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    return false
  }
  onTestFinished(() => void execFileSync('umount', [directory]))
  return true
}

interface Proxied {
  readonly url: string
  stderr(): string
  stop(): Promise<unknown>
}

/** Starts `sim proxy` by a shell, which may limit it. */
async function startLimited(limit: string, args: readonly string[]): Promise<Proxied> {
  const script = `${limit} exec "$0" "$@"`
  const child = spawn('sh', ['-c', script, process.execPath, COMMAND, 'proxy', '--port', '0', ...args])
  const printed = { stdout: '', stderr: '' }
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString()))
  const url = await new Promise<string>((found, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      printed.stdout += chunk.toString()
      const [, address] = /^listening on (\S+)$/m.exec(printed.stdout) ?? []
      if (address !== undefined) found(address)
    })
    child.once('close', () => fail(new Error(printed.stderr)))
  })
  const closed = once(child, 'close')
  const stop = (): Promise<unknown> => {
    child.kill('SIGTERM')
    return closed
  }
  closing.push(stop)
  return { url, stderr: () => printed.stderr, stop }
}

async function startUpstream(): Promise<string> {
  const server = createServer((incoming, response) => {
    const isText = incoming.url?.startsWith('/text') === true
    response.writeHead(200, { 'content-type': isText ? 'text/plain' : 'image/png' })
    response.end(Buffer.alloc(isText ? 20_000 : KIB_100, incoming.url ?? ''))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function proveIn(directory: string, limit: string, path: string, error: RegExp): Promise<void> {
  const recording = join(directory, 'recording')
  const sim = await startLimited(limit, ['--upstream', await startUpstream(), '--record', recording])
  for (let number = 0; number < 120; number++) {
    const response = await fetch(`${sim.url}/${path}/${number}`)
    expect(response.status).toBe(200)
    expect((await response.arrayBuffer()).byteLength).toBe(path === 'text' ? 20_000 : KIB_100)
  }
  await sim.stop()
  const told = sim.stderr().match(/Recording stopped, traffic goes on[^"]*/g) ?? []
  expect(told).toHaveLength(1)
  expect(told[0]).toContain(recording)
  expect(told[0]).toMatch(error)
  const recorded = await collect(readExchanges(recording))
  expect(recorded.length).toBeGreaterThan(3)
  expect(recorded.length).toBeLessThan(120)
  expect(recorded.map(({ request }) => new URL(request.url).pathname)).toEqual(
    recorded.map((_, index) => `/${path}/${index}`),
  )
}

describe('a full disk stops the recording with an error, and never the traffic', { timeout: 60_000 }, () => {
  it.for(['text', 'image'])('of 1 MiB, with %s bodies', async (path, { skip }) => {
    const directory = join(await temporaryDirectory(), 'disk')
    if (!mountSmallDisk(directory)) skip('only root may mount')
    await proveIn(directory, '', path, /no space left on device/i)
  })

  // A limit of the process on its files, which any user may set, in blocks of 512 bytes.
  it('of a quota', async () => {
    const limit = `trap '' XFSZ; ulimit -f 800;`
    await proveIn(await temporaryDirectory(), limit, 'text', /file too large/i)
  })
})
