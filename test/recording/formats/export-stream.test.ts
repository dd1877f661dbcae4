import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { type ExportFormat, exportText } from '../../../src/recording/formats/export-stream.ts'
import { importHar } from '../../../src/recording/formats/import-har.ts'
import { type Content, type Exchange, inlineBytes, type PostData } from '../../../src/recording/exchange.ts'
import { collect, exchangeOf } from '../samples.ts'

const json = [['Content-Type', 'application/json']] as const
const EXCHANGES = [
  exchangeOf({ url: 'http://a/users?page=1', responseHeaders: json, responseBody: '[1]' }),
  exchangeOf({
    method: 'POST',
    url: 'http://a/users',
    requestHeaders: json,
    requestBody: '{"n":"it\'s"}',
    status: 201,
  }),
  exchangeOf({ url: 'http://a/users?page=1', responseHeaders: json, responseBody: '[2]' }),
]

async function exported(format: ExportFormat): Promise<string> {
  const read = async function* (): AsyncGenerator<Exchange> {
    yield* EXCHANGES
  }
  const source = {
    name: 'today',
    version: '1',
    read,
    bodyOf: async (body: Content | PostData) => inlineBytes(body),
  }
  return (await collect(exportText(format, source))).join('')
}

it('writes a HAR file that is read as the same exchanges', async () => {
  expect(importHar(await exported('har')).exchanges).toEqual(EXCHANGES)
})

it('writes a script that a shell understands', async () => {
  const script = await exported('curl')
  const printed = execFileSync('sh', ['-c', script.replaceAll(/^curl/gm, 'printf "<%s>"')], {
    encoding: 'utf8',
  })
  expect(printed).toContain('<--data-raw><{"n":"it\'s"}>')
})

it('writes a Postman collection', async () => {
  expect(JSON.parse(await exported('postman'))).toMatchObject({
    info: { name: 'today' },
    item: [{ name: 'GET /users' }, { name: 'POST /users', request: { body: { raw: '{"n":"it\'s"}' } } }, {}],
  })
})

it('writes WireMock mappings, with a scenario where a request came several times', async () => {
  const { mappings } = JSON.parse(await exported('wiremock')) as { readonly mappings: readonly object[] }
  expect(mappings).toMatchObject([
    {
      request: { url: '/users?page=1' },
      response: { body: '[1]' },
      requiredScenarioState: 'Started',
      newScenarioState: '2',
    },
    {
      request: { method: 'POST', bodyPatterns: [{ equalToJson: '{"n":"it\'s"}' }] },
      response: { status: 201 },
    },
    { response: { body: '[2]' }, requiredScenarioState: '2' },
  ])
  expect([
    Object.hasOwn(mappings[1] ?? {}, 'scenarioName'),
    Object.hasOwn(mappings[2] ?? {}, 'newScenarioState'),
  ]).toEqual([false, false])
})
