import { describe, expect, it } from 'vitest'
import { recordedAnswer } from '../../../src/recording/replay/recorded-answer.ts'
import type { ReplayOptions } from '../../../src/recording/replay/replay-options.ts'
import type { Exchange } from '../../../src/recording/exchange.ts'
import { exchangeOf, type Parts } from '../samples.ts'

const CODED = [
  ['Content-Encoding', 'gzip'],
  ['Content-Length', '9'],
  ['Content-Digest', 'x'],
  ['X-A', '1'],
] as const

function withContent(parts: Parts, content: object, rest: object = {}): Exchange {
  const exchange = exchangeOf(parts)
  return {
    ...exchange,
    ...rest,
    response: { ...exchange.response, content: { ...exchange.response.content, ...content } },
  }
}

async function headersOf(exchange: Exchange): Promise<string[]> {
  const { headers } = await recordedAnswer('/none', exchange, {})
  return headers.map(([name]) => name)
}

describe('recordedAnswer', () => {
  it('names the coding of a body only where it is still there', async () => {
    const body = { responseHeaders: CODED, responseBody: 'x' }
    expect(await headersOf(withContent(body, { _decoded: 'gzip' }))).toEqual(['Content-Length', 'X-A'])
    expect(await headersOf(withContent(body, {}))).toEqual(CODED.map(([name]) => name))
    for (const each of [{ method: 'HEAD' }, { status: 304 }])
      expect(await headersOf(exchangeOf({ ...each, responseHeaders: CODED }))).toEqual([
        'Content-Digest',
        'X-A',
      ])
    const plain = [['Content-Length', '5']] as const
    expect(await headersOf(exchangeOf({ method: 'HEAD', responseHeaders: plain }))).toEqual([
      'Content-Length',
    ])
  })

  const pace = (beganMs: number, timeMs: number): object => ({
    ...{ beganMs, isEndless: false, chunks: [{ timeMs, bytes: 1 }] },
  })
  it.for<[ReplayOptions, string, unknown]>([
    [{}, 'text/event-stream', pace(10, 20)],
    [{ speed: 2 }, 'text/event-stream', pace(5, 10)],
    [{}, 'text/plain', undefined],
    [{ timing: 'none' }, 'text/event-stream', undefined],
    [{ timing: 'original' }, 'text/plain', pace(10, 20)],
  ])('has with %j the pace of %s', async ([options, type, wanted]) => {
    const parts = { responseHeaders: [['content-type', type]], responseBody: 'x' } as const
    const timings = { send: 1, wait: 10, receive: 5 }
    const chunks = [{ time: 20, bytes: 1 }, { time: 'x', bytes: 1 }, { time: 3, bytes: -1 }, null]
    const exchange = withContent(parts, { _chunks: chunks }, { timings })
    expect((await recordedAnswer('/none', exchange, options)).pace).toEqual(wanted)
  })

  it('has header values that were read as UTF-8 as its bytes, which is how they came', async () => {
    const responseHeaders = [['x-price', '5 €']] as const
    const { headers } = await recordedAnswer('/none', exchangeOf({ responseHeaders }), {})
    expect(headers).toEqual([['x-price', Buffer.from('5 €').toString('latin1')]])
  })

  it('takes times that other programs do not know as none', async () => {
    const timings = { send: -1, wait: -1, receive: -1 }
    const parts = { responseHeaders: [['content-type', 'text/event-stream']], responseBody: 'x' } as const
    const exchange = withContent(parts, {}, { timings })
    expect((await recordedAnswer('/none', exchange, {})).pace).toEqual({
      beganMs: 0,
      isEndless: false,
      chunks: [],
    })
  })

  it('refuses an answer whose body was left out, and says why', async () => {
    const exchange = withContent({}, { _omitted: 'too large' })
    await expect(recordedAnswer('/none', exchange, {})).rejects.toThrow(
      'The answer to GET https://api.example.com/ was recorded without its body: it is too large',
    )
  })
})
