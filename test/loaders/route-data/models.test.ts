import { describe, expect, it } from 'vitest'
import { readModels } from '../../../src/loaders/route-data/models.ts'
import { createChecker } from '../../../src/engine/schema/checker.ts'
import { itemModelOf } from '../../../src/engine/output.ts'
import type { Schema } from '../../../src/engine/schema/schema.ts'

function read(
  models: object,
  use: unknown,
  option: 'input' | 'output' = 'output',
): { model: Schema; problems: string[] } {
  const problems: string[] = []
  const place = {
    directory: '/',
    report: (keys: readonly string[], message: string) => void problems.push(`${keys.join('.')}: ${message}`),
  }
  const model = readModels(models, place)[option](use, place) as Schema
  return { model, problems }
}
const judge = (model: Schema, values: readonly unknown[]): boolean[] =>
  values.map((value) => createChecker(model).fits(value))

const TREE = {
  type: 'object',
  required: ['kids'],
  properties: { kids: { type: 'array', items: { $ref: '#/models/Tree' } } },
}

describe('the models of a document', () => {
  it('stand on their own, with all they refer to and no more', () => {
    const models = {
      A: { $ref: '#/models/B' },
      B: { type: 'array', items: { $ref: '#/models/C' } },
      C: { const: 1 },
      D: {},
    }
    const { model, problems } = read(models, { anyOf: [{ $ref: '#/models/A' }, { const: 'x' }] })
    expect([problems, Object.keys(model['$defs'] as object)]).toEqual([[], ['A', 'B', 'C']])
    expect(judge(model, [[1, 1], 'x', [2], 1])).toEqual([true, true, false, false])
  })

  it('may hold themselves, in every form', () => {
    const good = { kids: [{ kids: [] }] }
    for (const form of ['list', 'page', 'slice']) {
      const { model, problems } = read({ Tree: TREE }, { [form]: { $ref: '#/models/Tree' } })
      expect([problems, judge(itemModelOf(model), [good, { kids: [{}] }])]).toEqual([[], [true, false]])
    }
    const { model } = read({ Tree: TREE }, { list: { $ref: '#/models/Tree' } })
    expect(judge(model, [[good], [{ kids: [{}] }]])).toEqual([true, false])
  })

  it('may be named in part, by any name, and have references of their own', () => {
    const models = {
      'a/b c': { type: 'object', properties: { n: { type: 'integer' } } },
      Own: {
        $defs: { x: { const: 'x' } },
        anyOf: [{ $ref: '#/$defs/x' }, { type: 'array', items: { $ref: '#' } }],
      },
    }
    const part = read(models, { $ref: '#/models/a~1b%20c/properties/n' })
    expect([part.problems, judge(part.model, [1, 'x'])]).toEqual([[], [true, false]])
    const own = read(models, { list: { $ref: '#/models/Own' } })
    expect([own.problems, judge(own.model, [['x', [['x']]], [[1]]])]).toEqual([[], [true, false]])
    const both = read(models, { allOf: [{ $ref: '#/models/Own' }], $defs: { Own: {} } })
    expect(both.problems).toEqual(['$defs.Own: has the name of a model that is referred to'])
  })

  it('have their own name, and keep what stands beside a reference', () => {
    const models = { User: { type: 'object' }, Named: { title: 'Person' } }
    expect(read(models, { $ref: '#/models/User' }).model).toMatchObject({ title: 'User', type: 'object' })
    expect(read(models, { $ref: '#/models/Named' }).model['title']).toBe('Person')
    const beside = read(models, { $ref: '#/models/User', minProperties: 1 }).model
    expect(judge(beside, [{}, { a: 1 }, []])).toEqual([false, true, false])
  })

  it('may have fields that are called like keywords', () => {
    const properties = {
      $ref: { const: 1 },
      'x-sim-link': { const: 2 },
      properties: { const: 3 },
      list: { const: 4 },
    }
    const { model, problems } = read(
      {},
      { type: 'object', properties, const: undefined, examples: [{ $ref: '#/models/No' }] },
    )
    expect(problems).toEqual([])
    expect(judge(model, [{ $ref: 1, 'x-sim-link': 2, properties: 3, list: 4 }, { $ref: 2 }])).toEqual([
      true,
      false,
    ])
  })

  it('have what is wrong with them reported whether they are used or not', () => {
    expect(read({ A: 3, B: { type: 'x' } }, { type: 'string' }).problems).toEqual([
      'A: must be a JSON Schema, not 3',
      expect.stringMatching(/^B\.type: Value must/),
    ])
  })
})
