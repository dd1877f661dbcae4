import Type from 'typebox'
import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { list, PaginatedResponse } from '../../src/engine/schema/list.ts'
import type { Model } from '../../src/engine/schema/schema.ts'

const Tree = Type.Cyclic(
  { Node: Type.Object({ value: Type.Integer(), kids: Type.Array(Type.Ref('Node')) }) },
  'Node',
)
const pointed = {
  type: 'object',
  required: ['name'],
  properties: { name: { $ref: '#/$defs/Name' } },
  $defs: { Name: { type: 'string', minLength: 1 } },
}

async function answerOf(output: Model, input?: Model, payload?: object) {
  const api = new SimAPI({ seed: 1, validateResponses: true })
  if (input === undefined) api.get('/x', { output })
  else api.post('/x', { input, output })
  const response = await api
    .asWebApp()
    .inject({ method: input === undefined ? 'GET' : 'POST', url: '/x', ...(payload && { payload }) })
  return { status: response.statusCode, body: response.json<unknown>() }
}

describe('a model', () => {
  it.for([
    ['with one recursive model in two fields', Type.Object({ a: Tree, b: Tree })],
    [
      'that refers to itself by its own name',
      {
        $id: 'Node',
        type: 'object',
        required: ['v'],
        properties: { v: { type: 'integer' }, next: { $ref: 'Node' } },
      },
    ],
    [
      'that refers to itself by #',
      { type: 'object', required: ['v'], properties: { v: { type: 'integer' }, next: { $ref: '#' } } },
    ],
    ['in a list, with pointers into its own definitions', list(pointed)],
    ['in a page, with pointers into its own definitions', PaginatedResponse(pointed)],
    ['in a list, that refers to itself by #', list({ type: 'object', properties: { next: { $ref: '#' } } })],
    ['with a tuple as TypeBox writes it', Type.Object({ t: Type.Tuple([Type.String(), Type.Integer()]) })],
    [
      'with a definition that allows everything',
      { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: true } },
    ],
    ['with a number of a whole format', { type: 'number', format: 'int32' }],
    [
      'of an older draft',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { a: { type: 'integer' } },
      },
    ],
  ] as const)('%s is answered and fits itself', async ([, model]) => {
    expect(await answerOf(model)).toMatchObject({ status: 200 })
  })

  it('with a tuple and a recursive part is read as input', async () => {
    const input = Type.Object({ t: Type.Tuple([Type.String(), Type.Integer()]), tree: Tree })
    const good = { t: ['a', 1], tree: { value: 1, kids: [{ value: 2, kids: [] }] } }
    expect(await answerOf(Type.Integer(), input, good)).toMatchObject({ status: 200 })
    expect(await answerOf(Type.Integer(), input, { ...good, t: ['a', 'b'] })).toMatchObject({ status: 422 })
    expect(await answerOf(Type.Integer(), input, { ...good, tree: { value: 1, kids: [{}] } })).toMatchObject({
      status: 422,
    })
  })

  it('that is a union takes path parameters and coerces them', async () => {
    const input = Type.Union([
      Type.Object({ id: Type.Integer(), a: Type.Optional(Type.String()) }),
      Type.Object({ id: Type.Integer(), b: Type.Integer() }),
    ])
    const api = new SimAPI({ seed: 1 }).get('/x/{id}', { input, output: Type.Integer() })
    expect((await api.asWebApp().inject('/x/7?b=2')).statusCode).toBe(200)
    expect((await api.asWebApp().inject('/x/seven')).statusCode).toBe(422)
  })
})
