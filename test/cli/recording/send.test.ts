import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Parts, temporaryDirectory, writeRecording } from '../../recording/samples.ts'
import { type Printed, simHere } from '../run-in-process.ts'

const PSEUDONYM = 'redacted-0123456789abcdef'

interface Server {
  readonly url: string
  /** The paths and tokens of requests, and when they came. */
  readonly requests: { readonly path: string; readonly token: string; readonly at: number }[]
}

type Respond = (request: IncomingMessage, response: ServerResponse) => void

async function open(respond: Respond = (_request, response) => void response.end('ok')): Promise<Server> {
  const requests: Server['requests'] = []
  const server = createServer((request, response) => {
    requests.push({
      path: request.url ?? '',
      token: request.headers.authorization ?? '',
      at: performance.now(),
    })
    respond(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Reads of `/0`, `/1` and so on, so many milliseconds one after the other. */
async function record(count: number, gapMs = 0, status = 200): Promise<string> {
  const parts = Array.from({ length: count }, (_each, at): Parts => ({
    ...{ url: `http://old/${at}`, status, startedAt: new Date(at * gapMs), responseBody: 'ok' },
    requestHeaders: [['Authorization', `Bearer ${PSEUDONYM}`]],
  }))
  return writeRecording(join(await temporaryDirectory(), 'today'), ...parts)
}

function send(recording: string, { url }: Server, ...flags: readonly string[]): Promise<Printed> {
  return simHere('recordings', 'send', recording, '--to', url, '--quiet', ...flags)
}

function tokensOf({ requests }: Server): ReadonlySet<string> {
  return new Set(requests.map(({ token }) => token))
}

function durationOf({ requests }: Server): number {
  return (requests.at(-1)?.at ?? 0) - (requests[0]?.at ?? 0)
}

/** Timers may end this much early. */
const EARLY_MS = 3

describe('sim recordings send', () => {
  it('sends pseudonyms where nothing is given for them, and says so', async () => {
    const server = await open()
    const { code, stderr } = await send(await record(2), server)
    expect([code, [...tokensOf(server)]]).toEqual([0, [`Bearer ${PSEUDONYM}`]])
    expect(stderr).toContain('2 requests had a pseudonym in place of a secret in authorization')
  })

  it.for<[string, (file: string) => readonly string[]]>([
    ['an environment variable', () => ['--replace', `${PSEUDONYM}={env:SIM_TEST_TOKEN}`]],
    ['a file', (file) => ['--replace', `${PSEUDONYM}={file:${file}}`]],
    ['a file of pseudonyms', (file) => ['--replace-file', `${file}.list`]],
    ['a header', () => ['--header', 'authorization: Bearer {env:SIM_TEST_TOKEN}']],
  ])('sends the secret that %s gives', async ([_what, flagsOf]) => {
    const server = await open(
      (request, response) => void response.writeHead(500).end(request.headers.authorization),
    )
    const file = join(await temporaryDirectory(), 'token')
    await writeFile(file, 'real token\n')
    await writeFile(`${file}.list`, `# of staging\n${PSEUDONYM}=real token\n`)
    vi.stubEnv('SIM_TEST_TOKEN', 'real token')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { stdout, stderr } = await send(await record(1), server, ...flagsOf(file))
    expect([...tokensOf(server)]).toEqual(['Bearer real token'])
    expect(stdout + stderr).not.toContain('real token')
    expect(stderr).not.toContain('had a pseudonym')
  })

  it.for([
    [['--replace', 'x'], '--replace must be a pseudonym and a text'],
    [['--replace', 'x={env:SIM_TEST_NONE}'], 'there is no environment variable SIM_TEST_NONE'],
    [['--replace-file', '/none'], '--replace-file: /none cannot be read'],
    [['--speed', '2'], '--speed is for --as-recorded'],
    [['--rate', '0'], '--rate must be a number above 0'],
    [['--concurrency', '0'], '--concurrency must be a whole number from 1 to 1000'],
  ] as const)('refuses %j', async ([flags, message]) => {
    const { code, stderr } = await send(
      await record(1),
      { url: 'http://127.0.0.1:1', requests: [] },
      ...flags,
    )
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('writes a report for CI', async () => {
    const server = await open((_request, response) => void response.writeHead(500).end())
    const file = join(await temporaryDirectory(), 'junit.xml')
    const { code } = await send(await record(1), server, '--junit', file)
    expect([code, await readFile(file, 'utf8')]).toEqual([1, expect.stringContaining('status changed: 200')])
  })

  it('sends no more in a second than --rate says', async () => {
    const server = await open()
    // The first may arrive late, and those after it in their time.
    await send(await record(4), server, '--rate', '20')
    expect(durationOf(server)).toBeGreaterThan(2 * (50 - EARLY_MS))
  })

  it('keeps the recorded times with --as-recorded, as many times faster as --speed says', async () => {
    const [own, fast] = [await open(), await open()]
    // The first may arrive late, and those after it in their time.
    await send(await record(3, 100), own, '--as-recorded')
    expect(durationOf(own)).toBeGreaterThan(100)
    await send(await record(3, 12_000_000), fast, '--as-recorded', '--speed', '120000')
    expect(durationOf(fast)).toBeGreaterThan(100)
  })

  it('sends as many at a time as --concurrency says', async () => {
    const waiting: ServerResponse[] = []
    const server = await open((_request, response) => {
      if (waiting.push(response) === 3) for (const each of waiting) each.end('ok')
    })
    const { code, stdout } = await send(await record(3), server, '--concurrency', '3')
    expect([code, stdout]).toEqual([0, expect.stringContaining('Sent 3 requests')])
  })
})
