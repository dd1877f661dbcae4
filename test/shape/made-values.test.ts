import { expect, it } from 'vitest'
import {
  areBytesAlike,
  areMadeAlike,
  formOfDrawn,
  formOfMade,
  formOfTokens,
  madeKind,
  madeParts,
} from '../../src/shape/made-values.ts'

it.for([
  ['W/"2026-03-04T05:06:07.008Z"', 'tag of a time'],
  ['"2026-03-04T05:06:07Z"', 'tag of a time'],
  [`W/"datetime'2026-03-04T05%3A06%3A07.0081234Z'"`, 'tag of a time'],
  ['2026-03-04T05:06:07Z', 'date-time'],
  ['2026-03-04T05:06:07.008123', 'local date and time'],
  ['2026-03-04 05:06:07', 'local date and time'],
  ['2026-03-04 05:06:07 UTC', 'local date and time'],
  ['2026-03-04T05:06:07.000+0000', 'local date and time'],
  ['Wed Mar 04 2026 05:06:07 GMT+0000 (Coordinated Universal Time)', 'local date and time'],
  ['Wed Mar 04 2026 05:06:07', 'local date and time'],
  ['2026-03-04 to 2026-03-05', undefined],
  ['W/"0a1b2c3d4e5f"', 'id of 16'],
  ['si_JsYCSZPIqbLiaO', 'id of 17'],
  ['is_createdByAnother', undefined],
  ['"2026-03-04"', undefined],
  ['"plain"', undefined],
  ['/v2/schemas/images', undefined],
  ['/v2/images/Xk3Pq9Zt', 'id of 19'],
  ['Ab3/'.repeat(2_500_000), undefined],
] as const)('takes %.80s for %s', ([text, kind]) => {
  expect(madeKind(text)).toBe(kind)
})

it.for([
  ['txn_1UzS2pTKo9hwBtD5k63AjQH3', 'txn_VhkUifCFlaFolWeyyQANdXum', true],
  ['https://x.test/r/acct_wTWaH9sJDwTL/1', 'https://x.test/r/acct_OtsDmaV86XZS/1', true],
  ['https://x.test/r/acct_wTWaH9sJDwTL/1', 'https://x.test/s/acct_OtsDmaV86XZS/1', false],
  ['/internationalization', '/intercommunications_', false],
  ['Pays late', 'Has moved', false],
] as const)('%s and %s are made alike: %s', ([one, other, isAlike]) => {
  expect(areMadeAlike(one, other)).toBe(isAlike)
})

it.each([
  ['gAABAIAAAAEBAAAAAAAAAA==', 'gAABAIAAAAEEAAAAAAAAAA==', true],
  ['/dbs/gAABAA==/colls/gAABAIAAAAE=', '/dbs/gAABAA==/colls/gAABAIAAAAI=', true],
  ['/dbs/gAABAA==', '/tables/gAABAA==', false],
  ['gAABAA==', 'gAABAIAAAAE=', false],
  ['SGVsbG8gYWxs', 'SGVsbG8gb25l', false],
  ['SGVsbG8gYg==', 'SGVsbG8gYQ==', false],
])('%s and %s differ in ids of unreadable bytes alone: %s', (one, other, areAlike) => {
  expect(areBytesAlike(one, other)).toBe(areAlike)
})

it('finds the times and UUIDs by which texts differ, and nothing where all of a text is one', () => {
  const [one, other] = ['2026-03-04T05:06:07Z', '2026-03-04T05:06:09.1Z']
  expect(madeParts(`It is gone. Time: ${one}`, `It is gone. Time: ${other}`)).toEqual([[one, other]])
  expect(madeParts(`It is gone. Time: ${one}`, `It is here. Time: ${other}`)).toBeUndefined()
  expect(madeParts('It is gone.', 'It is here.')).toBeUndefined()
})

it('finds the form of values with tokens in them, and of short ones whose signs are drawn', () => {
  const urls = ['a1b2c3d4e5f6', 'f6e5d4c3b2a1'].map((token) => `https://x.test/${token}/pay.html`)
  expect(formOfMade(urls)).toEqual({
    type: 'string',
    pattern: String.raw`^https://x\.test/[0-9a-f]{12}/pay\.html$`,
  })
  const paths = ['6SvAnmaAYpge', 'PMNlG1GTzkej'].map((token) => `/v1/charges/ch_${token}/refunds`)
  expect(formOfMade(paths)).toEqual({
    type: 'string',
    pattern: '^/v1/charges/ch_[0-9A-Za-z]{12}/refunds$',
  })
  expect(formOfMade(['a+b/3Vc8Kq1w==', 'Zk/9Qw+e7Rt12='])).toEqual({
    type: 'string',
    pattern: String.raw`^[\w+/="-]{14}$`,
  })
  const drawn = [
    ['LmduCXs', 'xo35z2i', 'HDrmTkh', 'nPOJZoD', '1dB23NM'],
    ['V30KqaJ', 'DIv9aFD', 'ta3NICi', 'gBjUQJC'],
    ['DbJfnK1', 'O2ni3ym', 'g0mfNQ9'],
    // Of signs that are drawn, some have no digit, or no capital.
    ['lDIBApb', 'KtFR53Z', 'F3T3Q4u'],
    ['mkXzupU', 'SDVLkYE', 'uWWQSiz'],
    ['r078zNC', 'jCVydUq', 'x41b9sw'],
  ]
  for (const values of drawn)
    expect(formOfDrawn(values)).toEqual({ type: 'string', pattern: '^[0-9A-Za-z]{7}$' })
  expect(formOfDrawn(['db1fnk1', 'o2ni3ym', 'g0mfnq9'])).toBeUndefined()
  expect(formOfDrawn(['NewItem', 'OldItem', 'BigItem'])).toBeUndefined()
  expect(formOfDrawn(['cup01', 'cup02', 'cup03', 'cup04'])).toBeUndefined()
})

it('takes the number of a revision for counted, not drawn', () => {
  const [one, other] = ['6d4b401b9afc713b', 'fc75502a80ce0dd6']
  expect(formOfTokens([`1-${one}`, `1-${other}`])).toEqual({ type: 'string', pattern: '^1-[0-9a-f]{16}$' })
  expect(formOfTokens([`1-${one}`, `2-${other}`])).toBeUndefined()
})
