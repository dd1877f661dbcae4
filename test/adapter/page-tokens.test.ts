import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../src/adapter/failure.ts'
import { createPageTokens, type Consistency } from '../../src/adapter/page-tokens.ts'
import { createStillClock } from '../../src/state/clock.ts'

const clock = createStillClock()
const codec = (consistency: Consistency = 'reject', seed = 7, name = 'sim-x') =>
  createPageTokens({ seed, name, clock, consistency })
const list = codec()('listItems')
const expected = { parameters: { size: 2, select: ['a', 'b'] }, revision: 3 }
const token = list.encode({ ...expected, position: { after: 'item-2' } })

function refusal(decode: () => unknown): unknown {
  try {
    return decode()
  } catch (error) {
    return failureOf(error)
  }
}
const refused = (reason: string) => ({ kind: 'page-token', reason })

describe('a page token', () => {
  it('says where its page begins', () => {
    expect(list.decode(token, expected)).toEqual({
      position: { after: 'item-2' },
      revision: 3,
      isStale: false,
    })
  })

  it('is the same text for the same place, and safe in a URL', () => {
    expect(list.encode({ ...expected, position: { after: 'item-2' } })).toBe(token)
    expect(token).toMatch(/^v1\.[\w-]+$/)
  })

  it('does not mind the order of parameters', () => {
    const other = { parameters: { select: ['a', 'b'], size: 2 }, revision: 3 }
    expect(list.decode(token, other).revision).toBe(3)
  })

  it.for([
    ['of another operation', codec()('listOthers'), expected],
    ['for other parameters', list, { ...expected, parameters: { size: 3 } }],
    ['for parameters in place of none', list, { revision: 3, parameters: undefined }],
  ] as const)('is foreign %s', ([, tokens, other]) => {
    expect(refusal(() => tokens.decode(token, other))).toEqual(refused('foreign'))
  })

  it.for([
    ['seed', codec('reject', 8)],
    ['adapter', codec('reject', 7, 'sim-y')],
  ] as const)('of another %s counts as altered', ([, other]) => {
    expect(refusal(() => other('listItems').decode(token, expected))).toEqual(refused('altered'))
  })

  it('is stale when what it pages through has another revision', () => {
    expect(refusal(() => list.decode(token, { ...expected, revision: 4 }))).toEqual(refused('stale'))
  })

  it('goes on from its position where consistency is to continue', () => {
    const page = codec('continue')('listItems').decode(token, { ...expected, revision: 4 })
    expect(page).toEqual({ position: { after: 'item-2' }, revision: 3, isStale: true })
  })

  it('is never stale for one who asks for no revision', () => {
    expect(list.decode(token, { parameters: expected.parameters }).isStale).toBe(false)
  })

  it('expires by the virtual clock', () => {
    const time = createStillClock(1000)
    const tokens = createPageTokens({ seed: 1, name: 'sim-x', clock: time, consistency: 'reject' })('list')
    const place = { parameters: {}, revision: 1 }
    const short = tokens.encode({ ...place, position: 1, expiresAt: 2000 })
    time.set(1999)
    expect(tokens.decode(short, place).position).toBe(1)
    time.set(2000)
    expect(refusal(() => tokens.decode(short, place))).toEqual(refused('expired'))
  })

  it.for([
    undefined,
    null,
    5,
    '',
    'v1.',
    'v1',
    token.slice(3),
    `v2.${token.slice(3)}`,
    `v1.${'A'.repeat(20_000)}`,
  ])('is malformed when it is %j', (given) => {
    expect(refusal(() => list.decode(given, expected))).toEqual(refused('malformed'))
  })

  it('is not accepted once anything of it was changed: 10,000 mutations', () => {
    const character = fc.oneof(
      fc.constantFrom(...Array.from('ABCabc019-_.=+/ %')),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    )
    const at = fc.nat({ max: token.length })
    const mutation = fc.oneof(
      fc.tuple(at, character).map(([i, c]) => token.slice(0, i) + c + token.slice(i + 1)),
      fc.tuple(at, character).map(([i, c]) => token.slice(0, i) + c + token.slice(i)),
      fc.tuple(at, fc.nat({ max: 8 })).map(([i, n]) => token.slice(0, i) + token.slice(i + n)),
      fc.tuple(at, at).map(([i, j]) => token.slice(i) + token.slice(0, j)),
      fc.tuple(at, fc.string()).map(([i, s]) => token.slice(0, i) + s),
      fc.uint8Array({ maxLength: 100 }).map((bytes) => `v1.${Buffer.from(bytes).toString('base64url')}`),
      fc.string(),
    )
    const reasons = new Set<string>()
    fc.assert(
      fc.property(
        mutation.filter((text) => text !== token),
        (text) => {
          const failure = refusal(() => list.decode(text, expected)) as { kind: string; reason: string }
          reasons.add(failure.reason)
          expect(failure.kind).toBe('page-token')
        },
      ),
      { numRuns: 10_000 },
    )
    expect([...reasons].toSorted()).toEqual(['altered', 'malformed'])
  })

  it('brings back any position that is JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.jsonValue(),
        fc.oneof(fc.nat(), fc.string()),
        (position, parameters, revision) => {
          const text = list.encode({ position, parameters, revision })
          const read = list.decode(text, { parameters, revision })
          expect(JSON.stringify(read.position)).toBe(JSON.stringify(position))
        },
      ),
    )
  })
})
