import { execFileSync } from 'node:child_process'
import { dirname, join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { loadApi } from '../../src/loaders/load-target.ts'
import { fixturesFrom } from '../../src/loaders/fixtures/from-recording.ts'
import type { Exchange } from '../../src/recording/exchange.ts'
import { readBody, readExchanges } from '../../src/recording/files/recording-files.ts'
import { collect, temporaryDirectory } from '../recording/samples.ts'
import { closeAll, closing, startGateway } from './ways-in-setup.ts'

afterEach(closeAll)

const ROOT = resolve(import.meta.dirname, '../..')
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
  const response = await fetch(`${url}${pathname}${search}`, {
    method: request.method,
    headers: headers.map(({ name, value }): [string, string] => [name, value]),
    ...(body && { body: new Uint8Array(body) }),
  })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: await response.text(),
  }
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
    const routes = await temporaryDirectory()
    await fixturesFrom(directory, routes)
    const { api } = await loadApi(join(routes, 'routes.yaml'), 'served')
    const app = api.asWebApp()
    closing.push(() => app.close())
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    for (const exchange of await collect(readExchanges(directory))) {
      const [given, recorded] = [
        await answerOf(url, directory, exchange),
        await recordedAnswer(directory, exchange),
      ]
      expect([given.status, JSON.parse(given.body)]).toEqual([recorded.status, JSON.parse(recorded.body)])
    }
  })
})
