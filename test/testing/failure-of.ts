import { expect } from 'vitest'
import { FromInput } from '../../src/engine/links/from-input.ts'
import { EndpointFailed } from '../../src/testing/endpoint/endpoint-failed.ts'
import { testEndpoint } from '../../src/testing/test-endpoint.ts'

/** Input of every kind that a query can carry. */
export const Query = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1 },
    limit: { anyOf: [{ type: 'integer', minimum: 1, maximum: 9 }, { type: 'null' }] },
    tags: { type: 'array', items: { type: 'string' } },
    open: { type: 'boolean' },
  },
}
/** An answer that takes its name from the input. */
export const User = {
  type: 'object',
  title: 'User',
  required: ['name', 'age'],
  properties: { name: { type: 'string', ...FromInput('name') }, age: { type: 'integer' } },
}

/** The message of a test that fails. */
export async function failureOf(...args: Parameters<typeof testEndpoint>): Promise<string> {
  const error: unknown = await testEndpoint(...args).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(EndpointFailed)
  return (error as EndpointFailed).message
}
