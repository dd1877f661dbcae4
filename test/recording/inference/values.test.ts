import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findComputedByCase } from '../../../src/recording/inference/templates.ts'
import { sample, samplesOf } from './samples.ts'
import {
  findMentions,
  isScalar,
  leavesOf,
  readScalar,
  readScalars,
  segmentKind,
  sourcesOf,
} from '../../../src/recording/inference/values.ts'

describe('leaves', () => {
  it('names what has no parts by its path, and the items of a list by one', () => {
    const answer = { items: [{ tag: 'a' }, { tag: null }], meta: { requested: 1 }, none: [] }
    expect([...leavesOf(answer)]).toEqual([
      ['items[].tag', ['a', null]],
      ['meta.requested', [1]],
    ])
    expect([...leavesOf(['x', 'y'])]).toEqual([['[]', ['x', 'y']]])
  })
})

describe('mentions', () => {
  it('finds the fields of other answers that held a value', () => {
    const mentions = findMentions(
      samplesOf(
        [
          'GET /users',
          {
            response: [
              { id: 7, name: 'Ada' },
              { id: 8, boss: { login: 'Ada' } },
            ],
          },
        ],
        ['GET /users/7', { response: { id: 7 } }],
        ['GET /users/9', { status: 404, response: { id: 9 } }],
        ['GET /plain', { response: 'Bo' }],
      ),
    )
    const fieldsOf = (value: string, ...except: number[]): string[] => [
      ...mentions.fieldsOf(value, new Set(except)),
    ]
    expect(fieldsOf('7', 1)).toEqual(['id'])
    expect(fieldsOf('7', 0, 1)).toEqual([])
    expect(fieldsOf('Ada')).toEqual(['name', 'login'])
    expect(fieldsOf('9')).toEqual([])
    expect(fieldsOf('Bo')).toEqual([])
  })
})

describe('sources', () => {
  it('has the scalars of path, query, body and meaningful headers', () => {
    const requested = sample(
      0,
      'POST /users/7?a=1',
      { body: { name: 'x', tags: ['y'] } },
      { 'x-t': 'z', accept: '*' },
    )
    expect(sourcesOf(requested, { id: '7' })).toEqual([
      [{ in: 'path', name: 'id' }, '7'],
      [{ in: 'query', name: 'a' }, '1'],
      [{ in: 'body', name: 'name' }, 'x'],
      [{ in: 'header', name: 'x-t' }, 'z'],
    ])
  })

  it('takes texts, numbers and truth values for scalars', () => {
    expect(['', 0, false, null, [], {}].map(isScalar)).toEqual([true, true, true, false, false, false])
  })
})

describe('read scalar', () => {
  it.for<[string, unknown]>([
    ['true', true],
    ['12', 12],
    ['-1.5', -1.5],
    ['007', '007'],
    ['1e5', '1e5'],
    ['1234567890123456', '1234567890123456'],
    ['', ''],
  ])('reads %j', ([text, value]) => {
    expect(readScalar(text)).toBe(value)
  })

  it('reads every integer that a double holds with digits to spare', () => {
    fc.assert(fc.property(fc.integer(), (value) => readScalar(String(value)) === value))
  })

  it('reads values as one type, or as the texts they are', () => {
    expect(readScalars(['1', '2'])).toEqual([1, 2])
    expect(readScalars(['1', 'x'])).toEqual(['1', 'x'])
  })
})

describe('segment kind', () => {
  it.for([
    ['2026-01-31', 'date'],
    ['2026-13-31', 'word'],
    ['42', 'number'],
    ['-1', 'number'],
    ['018f3c1e-7b1a-7c3e-9f00-0123456789ab', 'uuid'],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ulid'],
    ['5f3c9a1be4d0', 'hash'],
    ['0byfnelY5nebNIl4ahljqC', 'hash'],
    ['V1StGXR8_Z5jdHi6B-myT', 'hash'],
    ['Iso8601DateTimeFormatter', 'word'],
    ['deadbeefcafe', 'word'],
    ['users', 'word'],
    ['4x', 'word'],
    ['', 'word'],
    ['cus_jkjbu3vawFGxPz', 'hash'],
    ['app_log4jConfigurations', 'word'],
  ])('takes %s for a %s', ([segment = '', kind]) => {
    expect(segmentKind(segment)).toBe(kind)
  })
})

it('takes what texts are in one case of a field for no rule where it was seen once', () => {
  const row = (value: string, name: string, kind: string) => ({ value, beside: { name, kind } })
  const plain = ['quill', 'brush'].map((name) => row(name, name, 'own'))
  const twice = [...plain, row('shared', 'paper', 'none'), row('shared', 'board', 'none')]
  expect(findComputedByCase(twice)?.cases).toEqual([{ equals: 'none', template: 'shared' }])
  expect(findComputedByCase(twice.slice(0, 3))).toBeUndefined()
})
