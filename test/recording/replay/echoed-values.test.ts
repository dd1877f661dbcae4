import { expect, it } from 'vitest'
import { withEchoed } from '../../../src/recording/replay/echoed-values.ts'
import type { ReplayAnswer } from '../../../src/recording/replay/recorded-answer.ts'
import { exchangeOf } from '../samples.ts'

const JSON_TYPE = [{ name: 'content-type', value: 'application/json' }]
const call = (id: number): string => JSON.stringify({ jsonrpc: '2.0', method: 'count', id })
const range = (end: number): string => JSON.stringify({ query: 'up', end })
const events = [1, 2].map((n) => `data: {"id":1,"n":${n}}\n\n`)
const ANSWER: ReplayAnswer = {
  ...{ kind: 'answer', origin: 'http://api.test', status: 200, statusText: 'OK', headers: [], trailers: [] },
  body: Buffer.from(events.join('')),
  pace: {
    beganMs: 0,
    chunks: events.map(({ length }, at) => ({ timeMs: at, bytes: length })),
    isEndless: false,
  },
}
const echo = async (answer: ReplayAnswer, was = call(1), is = call(1234)): Promise<ReplayAnswer> => {
  const url = 'http://api.test/rpc'
  const requestHeaders = [['content-type', 'application/json']] as const
  const exchange = exchangeOf({ method: 'POST', url, requestHeaders, requestBody: was })
  const given = { url: '/rpc', headers: JSON_TYPE, contentType: 'application/json' }
  return withEchoed(answer, exchange, { ...given, body: Buffer.from(is) }, '')
}

it('keeps events apart that come one by one', async () => {
  const { body, pace } = await echo(ANSWER)
  const own = events.map((event) => event.replace('"id":1,', '"id":1234,'))
  expect(body).toEqual(Buffer.from(own.join('')))
  expect(pace?.chunks.map(({ bytes }) => bytes)).toEqual(own.map(({ length }) => length))
})

it('leaves parts of answers, and those in a content coding, as they are', async () => {
  for (const answer of [
    { ...ANSWER, status: 206 },
    { ...ANSWER, headers: [['Content-Encoding', 'br'] as [string, string]] },
  ])
    expect(await echo(answer)).toBe(answer)
})

it('leaves the moments of a chart as they are, be one of them the end that was requested', async () => {
  const chart = '{"values":[[1795831391,"1"],[1795831392,"1"]],"end":1795831392}'
  const answer = { ...ANSWER, body: Buffer.from(chart), pace: undefined }
  const { body } = await echo(answer, range(1_795_831_392), range(1_795_831_405))
  expect((body as Buffer).toString()).toBe(chart.replace('"end":1795831392', '"end":1795831405'))
})
