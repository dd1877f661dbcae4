import { describe, expect, it } from 'vitest'
import { foldedOf, samplesOf } from './samples.ts'
import { inputModel, outputModel } from '../../../src/recording/inference/models.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'

describe('input model', () => {
  function modelOf(method: string, samples: readonly Sample[]): unknown {
    const accepted = samples.filter(({ status }) => status < 300)
    return inputModel(method, foldedOf(samples), accepted)
  }

  it('reads the query of GET by type, and requires the path', () => {
    expect(modelOf('GET', samplesOf('GET /a/1?n=2&tag=x&tag=y', 'GET /a/2?n=3'))).toEqual({
      type: 'object',
      properties: { n: { type: 'integer' }, tag: { type: 'string' }, id: { type: 'integer' } },
      required: ['id'],
    })
  })

  it('requires a query parameter only where leaving it out was refused', () => {
    const samples = samplesOf('GET /a?q=1', 'GET /a?q=2', 'GET /a?q=3')
    expect(modelOf('GET', samples)).not.toHaveProperty('required')
    const refused = samplesOf('GET /a?q=1', 'GET /a?q=2', ['GET /a', { status: 400 }])
    expect(modelOf('GET', refused)).toHaveProperty('required', ['q'])
  })

  it('requires body fields that always came, often enough, but of no change', () => {
    const bodies = [{ a: 1, b: 2 }, { a: 2 }, { a: 3 }]
    const of = (method: string): Sample[] =>
      samplesOf(...bodies.map((body) => [`${method} /a`, { body }] as const))
    expect(modelOf('POST', of('POST'))).toHaveProperty('required', ['a'])
    expect(modelOf('POST', of('POST').slice(0, 2))).not.toHaveProperty('required')
    const sent = {
      body: [],
      isChange: true,
      empty: new Set<string>(),
      values: () => [],
      isDecimal: () => false,
    }
    const changes = of('PATCH')
    expect(modelOf('PATCH', changes)).not.toHaveProperty('required')
    expect(inputModel('PATCH', foldedOf(changes), changes, sent)).not.toHaveProperty('required')
  })

  it('requires nothing of what a change sends of an item, wherever that is', () => {
    const samples = samplesOf(...[1, 2, 3].map((a) => ['POST /a/1', { body: { data: { a } } }] as const))
    const of = (isChange: boolean): unknown =>
      inputModel('POST', foldedOf(samples), samples, {
        body: ['data'],
        isChange,
        empty: new Set(),
        values: () => [],
        isDecimal: () => false,
      })
    expect(of(false)).toHaveProperty('properties.data.required', ['a'])
    expect(of(true)).not.toHaveProperty('properties.data.required')
    expect(of(true)).toHaveProperty('required', ['data'])
  })

  it('takes any field of an item of which changes send now one and now another', () => {
    const bodies = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ data: { [name]: 'x' } }))
    const samples = samplesOf(...bodies.map((body) => ['PATCH /a/1', { body }] as const))
    const sent = {
      body: ['data'],
      isChange: true,
      empty: new Set<string>(),
      values: () => [],
      isDecimal: () => false,
    }
    const input = inputModel('PATCH', foldedOf(samples), samples, sent)
    expect(input).toHaveProperty('properties.data', { type: 'object', properties: {} })
  })

  it('takes null for what a body need not have', () => {
    const bodies = [{ a: 1, b: 'x', c: null }, { a: 2 }, { a: 3, id: 4 }]
    const samples = samplesOf(...bodies.map((body) => ['POST /a', { body }] as const))
    const sent = {
      body: [],
      isChange: false,
      empty: new Set<string>(),
      values: () => [],
      isDecimal: () => false,
    }
    expect(inputModel('POST', foldedOf(samples), samples, sent)).toHaveProperty('properties', {
      a: { type: 'integer' },
      b: { type: ['string', 'null'] },
      c: true,
      id: { type: ['integer', 'null'] },
    })
  })

  it('takes no null for objects, which are left out or sent with what they have', () => {
    const bodies = [{ meta: {}, spec: { a: 'x' } }, { meta: {} }]
    const samples = samplesOf(...bodies.map((body) => ['POST /a', { body }] as const))
    const sent = {
      body: ['spec'],
      isChange: true,
      empty: new Set<string>(),
      values: () => [],
      isDecimal: () => false,
    }
    expect(inputModel('POST', foldedOf(samples), samples, sent)).toHaveProperty('properties', {
      meta: { type: 'object', properties: {} },
      spec: { type: 'object', properties: { a: { type: ['string', 'null'] } } },
    })
  })

  it('requires no field that items are without, unless leaving it out was refused, and takes null for it', () => {
    const bodies = [1, 2, 3].map((n) => ({ a: n, b: 'x', c: 'y' }))
    const accepted = samplesOf(...bodies.map((body) => ['POST /a', { body }] as const))
    const samples = [...accepted, ...samplesOf(['POST /a', { body: { a: 1, c: 'y' }, status: 422 }])]
    const sent = {
      body: [],
      isChange: false,
      empty: new Set(['b', 'c']),
      values: () => [],
      isDecimal: () => false,
    }
    expect(inputModel('POST', foldedOf(samples), accepted, sent)).toMatchObject({
      properties: { b: { type: ['string', 'null'] }, c: { type: ['string', 'null'] } },
      required: ['a', 'b'],
    })
  })

  it('is nothing for a route that takes nothing', () => {
    expect(modelOf('GET', samplesOf('GET /a'))).toBeUndefined()
  })
})

describe('output model', () => {
  const answers = (...responses: unknown[]): ReturnType<typeof samplesOf> =>
    samplesOf(...responses.map((response) => ['GET /a', { response }] as const))
  const ITEM = {
    type: 'object',
    properties: { a: { type: 'number', multipleOf: 1, minimum: 0, examples: [1] } },
    required: ['a'],
  }

  it.for<[string, unknown]>([
    ['single', { a: 1 }],
    ['list', [{ a: 1 }]],
    ['page', { items: [{ a: 1 }], total: 1, limit: 10, offset: 0 }],
    ['slice', { items: [{ a: 1 }], next_page_token: null }],
  ])('knows a %s', ([form, response]) => {
    expect(outputModel(answers(response, response, response))).toMatchObject({ form, model: ITEM })
  })

  it('takes answers of several forms for single ones', () => {
    expect(outputModel(answers([{ a: 1 }], { a: 1 }))).toMatchObject({
      form: 'single',
      model: { anyOf: [{}, {}] },
    })
  })

  it('says nothing of items that were never seen', () => {
    expect(outputModel(answers([], []))).toEqual({ form: 'list', model: {} })
  })

  it('is nothing where there is no body', () => {
    expect(outputModel(samplesOf('DELETE /a'))).toBeUndefined()
  })
})
