import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { ComputedFrom } from '../../../src/engine/links/computed-from.ts'
import { DateRangeFrom } from '../../../src/engine/links/date-range-from.ts'
import { FromCookie } from '../../../src/engine/links/from-cookie.ts'
import { FromHeader } from '../../../src/engine/links/from-header.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { defineLink, registerLink } from '../../../src/engine/links/link.ts'
import { WhenInput } from '../../../src/engine/links/when-input.ts'
import { list } from '../../../src/engine/schema/list.ts'
import { LINK, type Model } from '../../../src/engine/schema/schema.ts'

const Input = Type.Object({
  name: Type.Optional(Type.String()),
  start: Type.Optional(Type.String()),
  end: Type.Optional(Type.String()),
  n: Type.Optional(Type.Integer()),
})

async function answerOf(output: Model, url = '/x', headers: Record<string, string> = {}) {
  const api = new SimAPI({ seed: 1, validateResponses: true }).get('/x', {
    input: Input,
    output,
    listCount: 3,
  })
  const response = await api.asWebApp().inject({ url, headers })
  return response.json<never>() as unknown
}

async function fieldOf(field: Model, url = '/x', headers: Record<string, string> = {}): Promise<unknown> {
  const model = { type: 'object', title: 'Thing', required: ['f'], properties: { f: field } }
  const body = (await answerOf(model, url, headers)) as { f?: unknown; detail?: unknown }
  return body.f ?? body.detail
}

const Name = Type.String(FromInput('name'))
const Named = Type.Object({ name: Name })

describe('a link', () => {
  it.for([
    ['in a nested model', Type.Object({ inner: Named }), { inner: { name: 'Ada' } }],
    ['in the items of a list', list(Named), [{ name: 'Ada' }, { name: 'Ada' }, { name: 'Ada' }]],
    [
      'in the items of a field',
      Type.Object({ all: Type.Array(Named, { minItems: 2, maxItems: 2 }) }),
      { all: [{ name: 'Ada' }, { name: 'Ada' }] },
    ],
    [
      'in a nullable model',
      Type.Object({ inner: Type.Union([Named, Type.Null()]) }),
      { inner: { name: 'Ada' } },
    ],
    ['in a nullable text', Type.Object({ name: Type.Union([Name, Type.Null()]) }), { name: 'Ada' }],
    ['in a tuple', Type.Object({ t: Type.Tuple([Name, Type.Literal(1)]) }), { t: ['Ada', 1] }],
    [
      'behind a reference',
      { $defs: { N: Named }, type: 'object', required: ['n'], properties: { n: { $ref: '#/$defs/N' } } },
      { n: { name: 'Ada' } },
    ],
  ] as const)('applies %s', async ([, model, expected]) => {
    expect(await answerOf(model, '/x?name=Ada')).toEqual(expected)
  })

  it('applies to the values of a record', async () => {
    const body = (await answerOf(Type.Object({ by: Type.Record(Type.String(), Named) }), '/x?name=Ada')) as {
      by: object
    }
    expect(new Set(Object.values(body.by).map((each: { name: string }) => each.name))).toEqual(
      new Set(['Ada']),
    )
  })

  it('reads a text as the number its field wants, and names the place of what does not fit', async () => {
    expect(await fieldOf(Type.Integer(FromInput('name')), '/x?name=7')).toBe(7)
    const misfit = await fieldOf(Type.Integer(FromInput('name')), '/x?name=seven')
    expect(misfit).toBe("GET /x: Thing.f: its fromInput link gave 'seven'. Value must be integer")
  })
})

describe('FromInput', () => {
  it('binds empty text and zero, and leaves an absent input generated', async () => {
    expect(await fieldOf(Name, '/x?name=')).toBe('')
    expect(await fieldOf(Type.Integer(FromInput('n')), '/x?n=0')).toBe(0)
    expect(await fieldOf(Name)).toEqual(expect.stringMatching(/./))
  })
})

describe('FromHeader', () => {
  it('binds a header, whatever the case of its name', async () => {
    expect(await fieldOf(Type.String(FromHeader('X-Tenant')), '/x', { 'x-tenant': 'acme' })).toBe('acme')
    expect(await fieldOf(Type.String(FromHeader('X-Tenant')))).not.toBe('acme')
  })
})

describe('FromCookie', () => {
  it('binds a cookie of exactly that name', async () => {
    const cookie = 'other=1; sid=a%20b; SID=2'
    expect(await fieldOf(Type.String(FromCookie('sid')), '/x', { cookie })).toBe('a b')
    expect(await fieldOf(Type.String(FromCookie('Sid')), '/x', { cookie })).not.toMatch(/^(a b|1|2)$/)
  })
})

describe('DateRangeFrom', () => {
  const moment = Type.String({ format: 'date-time', ...DateRangeFrom('start', 'end') })
  const day = Type.String({ format: 'date', ...DateRangeFrom('start', 'end') })

  it('gives a moment between the two, the end’s whole day included', async () => {
    for (let n = 0; n < 20; n++) {
      const value = String(await fieldOf(moment, `/x?start=2024-03-01&end=2024-03-02&n=${n}`))
      expect(value >= '2024-03-01T00:00:00.000Z' && value < '2024-03-03').toBe(true)
    }
  })

  it('gives a date where the field is one', async () => {
    expect(await fieldOf(day, '/x?start=2024-03-01&end=2024-03-01')).toBe('2024-03-01')
  })

  it('gives the start of an empty or inverted range, and a generated value without one', async () => {
    expect(await fieldOf(moment, '/x?start=2024-03-02&end=2024-03-01')).toBe('2024-03-02T00:00:00.000Z')
    expect(await fieldOf(moment, '/x?start=soon&end=2024-03-01')).toEqual(expect.stringMatching(/^20/))
  })
})

describe('WhenInput', () => {
  it('applies its inner link only while the input equals the value', async () => {
    const field = Type.String(WhenInput('n', 1, FromInput('name')))
    expect(await fieldOf(field, '/x?n=1&name=Ada')).toBe('Ada')
    expect(await fieldOf(field, '/x?n=2&name=Ada')).not.toBe('Ada')
    expect(await fieldOf(field, '/x?name=Ada')).not.toBe('Ada')
  })

  it('takes any inner link, another WhenInput included', async () => {
    const inner = WhenInput('name', 'Ada', FromHeader('x-a'))
    expect(await fieldOf(Type.String(WhenInput('n', 1, inner)), '/x?n=1&name=Ada', { 'x-a': 'deep' })).toBe(
      'deep',
    )
  })
})

describe('ComputedFrom', () => {
  it('follows dependencies, not the order of declaration, and keeps that order in the answer', async () => {
    const model = Type.Object({
      c: Type.String(ComputedFrom(['b'], (b: string) => `${b}c`)),
      b: Type.String(ComputedFrom(['a'], (a: string) => `${a}b`)),
      a: Name,
    })
    expect(JSON.stringify(await answerOf(model, '/x?name=a'))).toBe('{"c":"abc","b":"ab","a":"a"}')
    expect(await answerOf(Type.Object({ inner: model }), '/x?name=a')).toEqual({
      inner: { c: 'abc', b: 'ab', a: 'a' },
    })
  })

  it('names the place where its function throws', async () => {
    const fail = (): never => {
      throw new Error('no such plan')
    }
    expect(await fieldOf(Type.String(ComputedFrom([], fail)))).toBe(
      'GET /x: Thing.f: its computedFrom link failed: no such plan',
    )
  })
})

describe('a link of one’s own', () => {
  it('works in code as it is, and in data once it is registered', async () => {
    const Shout = defineLink('shout', ({ input }, field: string) => String(input[field]).toUpperCase())
    expect(await fieldOf(Type.String(Shout('name')), '/x?name=ada')).toBe('ADA')
    const data = { type: 'string', [LINK]: { shout: 'name' } }
    await expect(fieldOf(data, '/x?name=ada')).rejects.toThrow(/names no known link: 'shout'/)
    registerLink(Shout)
    expect(await fieldOf(data, '/x?name=ada')).toBe('ADA')
  })

  it('is found in data among the built-in ones', async () => {
    const link = (keyword: object) => ({ type: 'string', [LINK]: keyword })
    const url = '/x?n=1&name=Ada&start=2024-01-01&end=2024-01-01'
    expect(await fieldOf(link({ fromInput: 'name' }), url)).toBe('Ada')
    expect(await fieldOf(link({ dateRangeFrom: ['start', 'end'] }), url)).toBe('2024-01-01T00:00:00.000Z')
    expect(
      await fieldOf(link({ whenInput: { field: 'n', equals: 1, then: { fromInput: 'name' } } }), url),
    ).toBe('Ada')
    const model = {
      type: 'object',
      required: ['a', 'f'],
      properties: { a: Name, f: link({ computedFrom: { fields: ['a'], template: '{a}! {b}' } }) },
    }
    expect(await answerOf(model, url)).toEqual({ a: 'Ada', f: 'Ada! {b}' })
  })
})
