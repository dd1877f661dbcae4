import { describe, expect, it, vi } from 'vitest'
import { createRedactApart } from '../../../src/recording/redaction/redact-apart.ts'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import { recorded, setUp, JSON_TYPE, play } from '../capture/recorder-setup.ts'
import { collect, exchangeOf, REDACTOR } from '../samples.ts'
import { readExchanges } from '../../../src/recording/files/recording-files.ts'

const EXCHANGES = ['a', 'b', 'c'].map((token) =>
  exchangeOf({
    url: `https://api.example.com/?token=${token}`,
    responseHeaders: JSON_TYPE,
    responseBody: JSON.stringify({ iban: 'DE02', note: 'card-42', password: token }),
  }),
)

describe('redaction in a thread of its own', () => {
  it('is the same as in this one, by the same rules and key, in the order it was given', async () => {
    const rules = { names: ['iban'], except: ['token'], patterns: ['card-\\d+'] }
    const key = Buffer.alloc(32, 7)
    const here = vi.fn<typeof REDACTOR.exchange>(REDACTOR.exchange)
    const apart = createRedactApart(here, rules, key)
    const done: number[] = []
    const redacted = await Promise.all(
      EXCHANGES.map((exchange, index) => apart(exchange).finally(() => done.push(index))),
    )
    const { exchange } = createRedactor(rules, key)
    expect(redacted).toEqual(EXCHANGES.map((each) => exchange(each)))
    expect(done).toEqual([0, 1, 2])
    expect(here).not.toHaveBeenCalled()
  })

  it('is done in this one where the thread ends', async () => {
    const here = vi.fn<typeof REDACTOR.exchange>(REDACTOR.exchange)
    const apart = createRedactApart(here, { patterns: ['('] })
    expect(await Promise.all(EXCHANGES.map((each) => apart(each)))).toEqual(
      EXCHANGES.map((each) => REDACTOR.exchange(each)),
    )
    expect(await apart(EXCHANGES[0]!)).toEqual(REDACTOR.exchange(EXCHANGES[0]!))
    expect(here).toHaveBeenCalledTimes(4)
  })

  it('fails for an exchange that cannot be redacted in either', async () => {
    const here = vi.fn<typeof REDACTOR.exchange>(() => {
      throw new RangeError('no stack')
    })
    const apart = createRedactApart(here, { patterns: ['('] })
    await expect(apart(EXCHANGES[0]!)).rejects.toThrow('no stack')
    await expect(apart(EXCHANGES[0]!)).rejects.toThrow('no stack')
  })

  it('keeps the order of what is recorded, short ones behind a long one', async () => {
    const setup = await setUp()
    const long = JSON.stringify({ fill: 'x'.repeat(200_000) })
    for (const [name, body] of [
      ['1', long],
      ['2', '{}'],
      ['3', long],
      ['4', '{}'],
    ] as const) {
      const request = { url: `https://api.example.com/${name}` }
      play(setup.recorder, { request, response: { headers: JSON_TYPE }, responseBody: body })
      if (name !== '2') await new Promise((resolve) => setImmediate(resolve))
    }
    await recorded(setup, { request: { url: 'https://api.example.com/5' } })
    const exchanges = await collect(readExchanges(setup.directory))
    expect(exchanges.map(({ request }) => request.url.slice(-1))).toEqual(['1', '2', '3', '4', '5'])
    expect(setup.recorder.counts().written).toBe(5)
  })
})
