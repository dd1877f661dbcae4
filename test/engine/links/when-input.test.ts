import { describe, expect, it } from 'vitest'
import { ComputedFrom } from '../../../src/engine/links/computed-from.ts'
import { DateRangeFrom } from '../../../src/engine/links/date-range-from.ts'
import { FromCookie } from '../../../src/engine/links/from-cookie.ts'
import { FromHeader } from '../../../src/engine/links/from-header.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { defineLink, linkOf, type Link } from '../../../src/engine/links/link.ts'
import { WhenInput } from '../../../src/engine/links/when-input.ts'
import { LINK } from '../../../src/engine/schema/schema.ts'
import { scopeOf, valuesOf } from '../schema/generating.ts'
import { fieldOf, linkedText } from './linking.ts'

const Custom = defineLink('custom', () => 'mine')
const input = { kind: 'vip', name: 'Ada', start: '2024-01-01', end: '2024-01-01' }
const headers = { 'x-name': 'from header', cookie: 'name=from cookie' }

describe('WhenInput', () => {
  it.for<[string, Link, string]>([
    ['FromInput', FromInput('name'), 'Ada'],
    ['FromHeader', FromHeader('X-Name'), 'from header'],
    ['FromCookie', FromCookie('name'), 'from cookie'],
    ['DateRangeFrom', DateRangeFrom('start', 'end'), '2024-01-01T00:00:00.000Z'],
    ['a custom link', Custom(), 'mine'],
    ['WhenInput', WhenInput('name', 'Ada', FromHeader('x-name')), 'from header'],
    ['ComputedFrom', ComputedFrom(['other'], (other: string) => `${other}!`), 'constant!'],
  ])('applies %s only while the input equals the value', ([, inner, expected]) => {
    const model = (link: Link) => ({
      type: 'object',
      required: ['f', 'other'],
      properties: { f: { type: 'string', ...link }, other: { const: 'constant' } },
    })
    const read = (link: Link, kind: unknown): unknown =>
      valuesOf<{ f: string }>(model(link), 1, scopeOf({ ...input, kind }, headers))[0]?.f
    expect(read(WhenInput('kind', 'vip', inner), 'vip')).toBe(expected)
    expect(read(WhenInput('kind', 'vip', inner), 'plain')).not.toBe(expected)
    expect(read(WhenInput('kind', 'vip', inner), undefined)).not.toBe(expected)
    // The same as data, from which code cannot be read.
    const keyword = JSON.parse(JSON.stringify(WhenInput('kind', 'vip', inner)[LINK])) as object
    if (inner[LINK]['computedFrom'] === undefined && inner[LINK]['custom'] === undefined) {
      expect(read({ [LINK]: keyword } as Link, 'vip')).toBe(expected)
    }
  })

  it.for<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, '1', false],
    [0, false, false],
    [null, null, true],
    [[1, { a: 2 }], [1, { a: 2 }], true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    ['', '', true],
  ])('compares %j with %j: %s', ([equals, value, applies]) => {
    const field = { type: 'string', ...WhenInput('kind', equals, FromInput('name')) }
    expect(fieldOf(field, { kind: value, name: 'Ada' }) === 'Ada').toBe(applies)
  })

  it('tries the links of a union’s members in turn', () => {
    const field = {
      anyOf: [
        { type: 'string', ...WhenInput('kind', 'text', FromInput('value')) },
        { type: 'integer', ...WhenInput('kind', 'number', FromInput('value')) },
      ],
    }
    expect(fieldOf(field, { kind: 'text', value: 'x' })).toBe('x')
    expect(fieldOf(field, { kind: 'number', value: 7 })).toBe(7)
    expect([fieldOf(field, { kind: 'other', value: 'y' })]).not.toContain('y')
  })

  it('reads the input fields and siblings that its inner link reads', () => {
    const link = WhenInput(
      'kind',
      1,
      WhenInput(
        'plan',
        2,
        ComputedFrom(['a', 'b'], () => 1),
      ),
    )
    expect(linkOf({ ...link })).toMatchObject({ inputFields: ['kind', 'plan'], siblings: ['a', 'b'] })
    expect(linkOf({ ...link })?.problems()).toEqual([])
  })

  it.for<[unknown, RegExp]>([
    ['kind', /whenInput takes \{ field: <name>, equals: <value>, then: \{ <link> \} \}/],
    [{ field: 'a', then: { fromInput: 'b' } }, /whenInput takes/],
    [{ field: 'a', equals: 1, then: 'b' }, /whenInput takes/],
    [{ field: 'a', equals: 1, then: { fromNowhere: 'b' } }, /no known link: 'fromNowhere'/],
    [{ field: 'a', equals: 1, then: {} }, /exactly one link/],
    [{ field: 'a', equals: 1, then: { fromInput: 7 } }, /fromInput takes/],
  ])('refuses the data %j', ([data, message]) => {
    expect(() => linkOf(linkedText({ whenInput: data }))).toThrow(message)
  })
})
