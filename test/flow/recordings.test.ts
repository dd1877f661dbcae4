import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixturesFrom } from '../../src/loaders/fixtures/from-recording.ts'
import { loadApi } from '../../src/loaders/load-target.ts'
import type { Exchange } from '../../src/recording/exchange.ts'
import { readExchanges } from '../../src/recording/files/recording-files.ts'
import { readBody } from '../../src/recording/files/read-body.ts'
import { collect } from '../recording/samples.ts'
import { openFolder, send, serve, startGateway } from './kit.ts'
import { ROOT } from './sim-process.ts'

const FILES = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'recordings'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((file) => file.endsWith('/exchanges.ndjson'))

interface Given {
  readonly status: number
  readonly type: string | null
  readonly body: string
}

async function answerOf(url: string, directory: string, { request }: Exchange): Promise<Given> {
  const body = request.postData && (await readBody(directory, request.postData))
  const { pathname, search } = new URL(request.url)
  const headers = request.headers.filter(({ name }) => !/^(host|content-length)$/i.test(name))
  const answer = await send(
    request.method,
    `${url}${pathname}${search}`,
    body && new Uint8Array(body),
    Object.fromEntries(headers.map(({ name, value }) => [name, value])),
  )
  return { status: answer.status, type: answer.headers.get('content-type'), body: answer.text }
}

async function recordedAnswer(directory: string, { response }: Exchange): Promise<Given> {
  const body = await readBody(directory, response.content)
  return { status: response.status, type: response.content.mimeType || null, body: String(body ?? '') }
}

it('are there', () => {
  expect(FILES).toContain('recordings/sample/exchanges.ndjson')
})

describe.for(FILES)('%s', (file) => {
  const directory = join(ROOT, dirname(file))

  it('names no server but a local one or an example', async () => {
    for (const { request } of await collect(readExchanges(directory)))
      expect(new URL(request.url).hostname).toMatch(/^(127\.0\.0\.1|localhost|(.*\.)?example(\.\w+)?)$/)
  })

  it('is replayed as it was recorded', async () => {
    const { url } = await startGateway({ modes: { mode: 'replay' }, recording: directory })
    for (const exchange of await collect(readExchanges(directory)))
      expect(await answerOf(url, directory, exchange)).toEqual(await recordedAnswer(directory, exchange))
  })

  it('becomes fixtures that give its answers back', async () => {
    const routes = openFolder().path
    await fixturesFrom(directory, routes)
    const { api } = await loadApi(join(routes, 'routes.yaml'), 'served')
    const { url } = await serve(api.asWebApp())
    for (const exchange of await collect(readExchanges(directory))) {
      const given = await answerOf(url, directory, exchange)
      const recorded = await recordedAnswer(directory, exchange)
      expect([given.status, JSON.parse(given.body)]).toEqual([recorded.status, JSON.parse(recorded.body)])
    }
  })
})
