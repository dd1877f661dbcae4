import { describe, expect, it } from 'vitest'
import { OntologyMock } from '../src/mock.ts'
import { QueryUserError } from '../src/operations/query-types.ts'
import { ask } from './ask.ts'

const callback = (apiName: string, name: string, rest: object = {}) => ({
  apiName,
  result: { type: 'callback', callback: name },
  ...rest,
})

const mock = new OntologyMock({
  fixture: {
    version: 1,
    ontologies: [
      {
        apiName: 'o',
        objectTypes: [{ apiName: 'Thing', primaryKey: 'id', objects: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
        queryTypes: [
          callback('above', 'above', {
            parameters: { least: 'integer', note: { type: 'string', optional: true } },
            output: { type: 'array', subType: { type: 'object', objectType: 'Thing' } },
          }),
          callback('late', 'now', { output: 'long' }),
          callback('user', 'userFault', { output: 'string' }),
          callback('crash', 'crash', { output: 'string' }),
          callback('wrong', 'wrong', { output: 'integer' }),
          callback('missing', 'missing', { output: 'integer' }),
          callback('inherited', 'toString', { output: 'string' }),
          {
            apiName: 'maybe',
            output: { type: 'string', optional: true },
            result: { type: 'cases', cases: [] },
          },
          {
            apiName: 'byNull',
            parameters: { note: { type: 'string', optional: true } },
            output: 'string',
            result: {
              type: 'cases',
              cases: [{ parameters: { note: null }, value: 'none' }],
              otherwise: 'some',
            },
          },
          callback('spoil', 'spoil', { output: 'integer' }),
          { apiName: 'never', output: 'string', result: { type: 'cases', cases: [] } },
          {
            apiName: 'slow',
            output: 'string',
            result: { type: 'cases', cases: [{ parameters: {}, error: { type: 'timeout' } }] },
          },
          {
            apiName: 'kinds',
            parameters: {
              set: { type: 'set', subType: 'string' },
              map: { type: 'entrySet', keyType: 'string', valueType: 'integer' },
              struct: { type: 'struct', fields: { a: 'integer', b: { type: 'date', optional: true } } },
              thing: { type: 'object', objectType: 'Thing' },
              things: { type: 'objectSet', objectType: 'Thing' },
            },
            output: 'boolean',
            result: { type: 'static', value: true },
          },
        ],
      },
    ],
  },
  queries: {
    above: ({ parameters, objects }) =>
      objects('Thing').filter(({ id }) => Number(id) >= Number(parameters['least'])),
    now: ({ clock }) => Promise.resolve(String(clock.now())),
    userFault: () => {
      throw new QueryUserError('Choose another one.')
    },
    crash: () => {
      throw new Error('broken')
    },
    wrong: () => 'text',
    spoil: ({ objects }) => objects('Thing').map((object) => Object.assign(object, { id: 99 })).length,
  },
})

const execute = (query: string, parameters: object = {}) =>
  ask(mock, `/o/queries/${query}/execute`, { parameters })

describe('a query', () => {
  it('answers by a callback that the configuration allows', async () => {
    expect((await execute('above', { least: 2 })).body).toEqual({ value: [2, 3] })
    mock.adapter.clock.set(Date.parse('2026-03-01T00:00:00Z'))
    expect((await execute('late')).body).toEqual({ value: String(Date.parse('2026-03-01T00:00:00Z')) })
  })

  it('fails as the service does when its callback fails', async () => {
    expect((await execute('user')).body).toMatchObject({
      errorName: 'QueryEncounteredUserFacingError',
      parameters: { message: 'Choose another one.', functionVersion: '1.0.0' },
    })
    expect((await execute('user')).status).toBe(409)
    expect(await execute('crash')).toMatchObject({
      status: 400,
      body: { errorName: 'QueryRuntimeError', parameters: { message: 'broken' } },
    })
    expect((await execute('wrong')).body).toMatchObject({
      errorName: 'InvalidQueryOutputValue',
      parameters: { outputDataType: { type: 'integer' }, outputValue: 'text' },
    })
  })

  it('names a callback that is not allowed', async () => {
    for (const [query, name] of [
      ['missing', 'missing'],
      ['inherited', 'toString'],
    ] as const) {
      const { body } = await execute(query)
      expect(body.errorName).toBe('QueryRuntimeError')
      expect(body.parameters.message).toContain(`the callback "${name}" is not among the configuration's`)
    }
  })

  it('answers null where its type allows it, and else fails', async () => {
    expect((await execute('maybe')).body).toEqual({ value: null })
    expect((await execute('never')).body.errorName).toBe('QueryRuntimeError')
    expect(await execute('slow')).toMatchObject({
      status: 500,
      body: { errorName: 'QueryTimeExceededLimit' },
    })
  })

  it('takes a parameter that is null for one that is not there', async () => {
    expect((await execute('byNull')).body).toEqual({ value: 'none' })
    expect((await execute('byNull', { note: null })).body).toEqual({ value: 'none' })
    expect((await execute('byNull', { note: 'x' })).body).toEqual({ value: 'some' })
  })

  it('gives its callback copies: they cannot change the ontology', async () => {
    expect((await execute('spoil')).body).toEqual({ value: 3 })
    const { body } = await ask(mock, '/o/objects/Thing')
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3])
  })

  it('checks parameters by their types', async () => {
    const good = {
      set: ['a'],
      map: [{ key: 'a', value: 1 }],
      struct: { a: 1, b: null },
      thing: 1,
      things: { type: 'base', objectType: 'Thing' },
    }
    expect((await execute('kinds', good)).body).toEqual({ value: true })
    const bad: readonly (readonly [keyof typeof good, unknown])[] = [
      ['set', [1]],
      ['map', { a: 1 }],
      ['struct', { a: 'x' }],
      ['struct', { a: 1, c: 2 }],
      ['thing', { id: 1 }],
      ['things', 7],
    ]
    for (const [id, value] of bad) {
      const { body } = await execute('kinds', { ...good, [id]: value })
      expect(body).toMatchObject({ errorName: 'InvalidQueryParameterValue', parameters: { parameterId: id } })
    }
    expect((await ask(mock, '/o/queries/kinds/execute', { parameters: [] })).body.errorName).toBe(
      'Conjure:InvalidArgument',
    )
  })
})
