import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Parts, REDACTOR, temporaryDirectory, writeRecording } from '../samples.ts'
import { formOf, readBodyValue } from '../../../src/recording/match/body-value.ts'
import { compileMatch, headOf, type MatchOptions } from '../../../src/recording/match/match.ts'
import {
  createExchangeIndex,
  type Entry,
  type ExchangeIndex,
  hashOf,
} from '../../../src/recording/replay/exchange-index.ts'

const RULES = compileMatch()

async function indexOf(options: MatchOptions, ...parts: readonly Parts[]): Promise<ExchangeIndex> {
  const directory = await writeRecording(await temporaryDirectory(), ...parts)
  const index = await createExchangeIndex(directory, compileMatch(options), REDACTOR)
  onTestFinished(() => index.close())
  return index
}

async function lookUp(
  index: ExchangeIndex,
  host: string | undefined,
  url: string,
  body = '',
): Promise<readonly Entry[]> {
  const head = headOf({ method: 'POST', host, url, headers: [] }, REDACTOR, RULES)
  const form = formOf(await readBodyValue(Buffer.from(body), 'text/plain', RULES, REDACTOR))
  return index.alike(head, false)?.byBody.get(hashOf(form))?.entries ?? []
}

const post = (host: string, path: string, requestBody = ''): Parts => ({
  method: 'POST',
  url: `http://${host}${path}`,
  requestHeaders: [['content-type', 'text/plain']],
  requestBody,
})

describe('createExchangeIndex', () => {
  it('finds what a search through all would find, in the order it was recorded', async () => {
    const requested = fc.record({
      host: fc.constantFrom('a', 'b'),
      path: fc.constantFrom('/x', '/y', '/x?p=1&q=2', '/x?q=2&p=1'),
      body: fc.constantFrom('', '1', ' 1', 'text'),
    })
    const same = (path: string): string => (path.includes('?') ? '/x?p&q' : path)
    await fc.assert(
      fc.asyncProperty(fc.array(requested, { maxLength: 12 }), requested, async (recorded, wanted) => {
        const index = await indexOf({}, ...recorded.map(({ host, path, body }) => post(host, path, body)))
        for (const host of [wanted.host, undefined]) {
          const found = await lookUp(index, host, wanted.path, wanted.body)
          const places = found.map((entry) => index.all().indexOf(entry))
          const fits = recorded.flatMap((each, at) =>
            (host === undefined || each.host === host) &&
            same(each.path) === same(wanted.path) &&
            each.body.trim() === wanted.body.trim()
              ? [at]
              : [],
          )
          expect(places).toEqual(fits)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('knows the longest body of requests alike, so that no more of one is read', async () => {
    const index = await indexOf(
      {},
      post('a', '/x', '1'),
      post('a', '/x', 'x'.repeat(50_000)),
      post('a', '/y'),
    )
    const head = headOf({ method: 'POST', host: 'a', url: '/x', headers: [] }, REDACTOR, RULES)
    expect(index.alike(head, false)?.longest).toBe(50_000)
    expect(index.alike(head, true)).toBeUndefined()
  })

  it('reads an exchange again, with what its body says', async () => {
    const index = await indexOf({}, post('a', '/x'), post('a', '/x', 'a long one'.repeat(9000)))
    const [, entry] = index.all()
    const exchange = entry && (await index.read(entry))
    expect(exchange?.request.postData).toHaveProperty('_file')
    expect(exchange && (await index.bodyOf(exchange))).toEqual({
      kind: 'text',
      text: 'a long one'.repeat(9000),
    })
  })
})
