import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { atEnd } from '../at-end.ts'
import { startUpstream } from './kit.ts'
import { lastRequest, rawAnswer, requestText } from './raw-client.ts'
import { COMMAND, startProcess, type SimServer } from './sim-process.ts'

const LIMIT = 160

async function startWith(limit: number, ...args: readonly string[]): Promise<SimServer> {
  const limited = ['-c', `ulimit -n ${limit}; exec "$0" "$@"`, process.execPath, COMMAND]
  const sim = await startProcess('sh', [...limited, 'proxy', ...args])
  atEnd(() => sim.stop())
  return sim
}

function open(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  atEnd(() => socket.destroy())
  return socket.on('error', () => undefined)
}

/** The status of the next answer; nothing where the connection ends, or is reset, without one. */
function statusOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1', 9, 12)))
    socket.once('close', () => resolve(''))
  })
}

async function rejectUnlessUnavailable(status: Promise<string>): Promise<string> {
  if ((await status) !== '503') throw new Error(`answered ${await status}, not 503`)
  return status
}

// Only Linux says how many may be open.
describe.skipIf(!existsSync('/proc/self/limits'))('a gateway that may have few files open', () => {
  it('says so at the start, answers 503 while there are as many as may be, and says that once', async () => {
    const upstream = await startUpstream((_request, response) => response.end('ok'))
    const sim = await startWith(LIMIT, '--upstream', upstream.url)
    await sim.prints(/at most 160 files and connections/)
    const port = Number(new URL(sim.url).port)
    const sockets = Array.from({ length: LIMIT * 2 }, () => open(port))
    for (const socket of sockets) socket.write(requestText('GET /', 'Host: a'))
    const statuses = await Promise.all(sockets.map(statusOf))
    const count = (status: string): number => statuses.filter((each) => each === status).length
    expect(count('200')).toBeGreaterThan(0)
    expect(count('503')).toBeGreaterThan(0)
    expect(statuses.filter((each) => !/^(200|503|)$/.test(each))).toEqual([])
    expect(sim.stderr().match(/SIM_TOO_MANY_OPEN_FILES/g)).toHaveLength(1)
    for (const socket of sockets) socket.destroy()
    await expect.poll(() => rawAnswer(port, lastRequest('GET /'))).toMatch(/^HTTP\/1.1 200 /)
  })

  it('answers 503 where none is left for the connection to the upstream', async () => {
    const upstream = await startUpstream(() => undefined)
    const sim = await startWith(LIMIT, '--upstream', upstream.url)
    const port = Number(new URL(sim.url).port)
    // All come in before any of them needs a second one.
    const sockets = Array.from({ length: 105 }, () => open(port))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const statuses = sockets.map(statusOf)
    for (const socket of sockets) socket.write(requestText('GET /', 'Host: a'))
    // Some may be reset, or wait in vain: a busy machine opens other files in the meantime.
    expect(await Promise.any(statuses.map(rejectUnlessUnavailable))).toBe('503')
  })

  it('is an error where it cannot start at all', async () => {
    await expect(startWith(100)).rejects.toThrow('At most 100 files can be open at once, and sim needs 128')
  })
})
