import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compare } from '../harness/compare.ts'
import { sim } from '../harness/commands.ts'
import { throughputRows } from '../harness/rows.ts'
import type { ServerCommand } from '../harness/server.ts'
import type { Suite } from './suite.ts'

const [FEW, MANY] = [10, 10_000]

/** Replaying from a long recording against a short one. */
export const replay: Suite = {
  name: 'replay',
  describe: `replaying among ${MANY} recordings against ${FEW}`,
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'sim-bench-replay-'))
    try {
      const servers: ServerCommand[] = []
      for (const count of [MANY, FEW]) {
        const directory = join(folder, String(count))
        await writeRecording(directory, count)
        servers.push(sim(`${count} recordings`, 'proxy', '--mode', 'replay', '--recording', directory))
      }
      const request = { path: '/items/7?x=7' }
      const rounds = await compare(servers.map((server) => ({ server, request, check: isItem })))
      return throughputRows(`replay among ${MANY} recordings`, `${MANY} recordings`, rounds, [
        { name: `${FEW} recordings`, atLeast: 0.9 },
      ])
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

function isItem(body: Buffer): void {
  if ((JSON.parse(body.toString()) as { id?: unknown }).id !== 7) throw new Error('its body is another one')
}

async function writeRecording(directory: string, count: number): Promise<void> {
  const lines = Array.from({ length: count }, (_, id) => JSON.stringify(exchange(id)))
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, 'exchanges.ndjson'), `${lines.join('\n')}\n`)
}

function exchange(id: number): object {
  const text = JSON.stringify({ id, digest: createHash('sha256').update(String(id)).digest('hex') })
  const rest = { cookies: [], headersSize: -1, httpVersion: 'HTTP/1.1' }
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: {
      ...rest,
      method: 'GET',
      url: `http://api.example.com/items/${id}?x=${id}`,
      headers: [],
      queryString: [{ name: 'x', value: String(id) }],
      bodySize: 0,
    },
    response: {
      ...rest,
      status: 200,
      statusText: 'OK',
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { size: text.length, mimeType: 'application/json', text },
      redirectURL: '',
      bodySize: text.length,
    },
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  }
}
