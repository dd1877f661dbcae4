import { describe, expect, it } from 'vitest'
import { problemOf, type Answer } from './ask.ts'
import { operationsOf } from './operations.ts'
import { createSchemas } from './schemas.ts'
import { createValidate } from './validator.ts'

// What judges sim's answers in these tests is tested itself.
describe('problemOf', () => {
  const document = {
    openapi: '3.0.3',
    paths: {
      '/pets': {
        get: {
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
            204: { description: 'none' },
            404: { description: 'no' },
          },
        },
      },
    },
    components: {
      schemas: {
        Pet: {
          type: 'object',
          required: ['born', 'secret'],
          properties: {
            born: { type: 'string', format: 'date' },
            age: { type: 'integer', minimum: 0, exclusiveMinimum: true, nullable: true },
            secret: { type: 'string', writeOnly: true },
            friend: { nullable: true, allOf: [{ $ref: '#/components/schemas/Pet' }] },
          },
        },
      },
    },
  }
  const [operation] = operationsOf(document)
  const validate = createValidate(createSchemas(document, 'response'))
  const json = (body: unknown, rest: Partial<Answer> = {}): Answer => ({
    status: 200,
    type: 'application/json',
    headers: {},
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    ...rest,
  })

  it.for([
    json({ born: '2020-01-01' }),
    json({ born: '2020-01-01', age: null, friend: { born: '2020-01-01', age: 1 } }),
    json('', { status: 204, type: undefined }),
  ])('is nothing for an answer as declared', (answer) => {
    expect(problemOf(operation!, answer, validate)).toBeUndefined()
  })

  it.for<[Answer, RegExp]>([
    [json({}), /born/],
    [json({ born: 'long ago' }), /format "date"/],
    [json({ born: '2020-01-01', age: 0 }), /must be > 0/],
    [json({ born: '2020-01-01', friend: null }), /friend must be object/],
    [json({ born: '2020-01-01', friend: { born: 1 } }), /friend\/born must be string/],
    [json('{'), /JSON/],
    [json({ born: '2020-01-01' }, { type: 'text/plain' }), /type text\/plain/],
    [json({ detail: 'no' }, { status: 404 }), /status 404/],
    [json({}, { status: 500 }), /status 500/],
    [json({}, { status: 204 }), /a body where none is declared/],
  ])('is something else', ([answer, problem]) => {
    expect(problemOf(operation!, answer, validate)).toMatch(problem)
  })
})
