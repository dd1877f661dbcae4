import { expect, it } from 'vitest'
import { credentialsFor } from '../../../src/openapi/serve/credentials.ts'
import { operationOf } from './reading.ts'

const call = {
  method: 'GET',
  scheme: 'http',
  host: 'x',
  path: '/',
  search: 'a=1&key=q%20&key=2',
  headers: { 'x-key': 'h', cookie: 'a=b; key=c' },
} as const

it.for([
  ['header', 'X-Key', 'h', 'the header X-Key'],
  ['query', 'key', 'q%20', 'the query parameter key'],
  ['cookie', 'key', 'c', 'the cookie key'],
  ['header', 'key', undefined, 'the header key'],
  ['query', 'constructor', undefined, 'the query parameter constructor'],
  ['cookie', 'Key', undefined, 'the cookie Key'],
] as const)('an API key in the %s %s is %s', ([place, field, value, where]) => {
  const operation = operationOf({ security: [[{ name: 'k', kind: 'apiKey', in: place, field }]] })
  expect(credentialsFor(operation, call)).toEqual([[{ kind: 'apiKey', name: field, place: where, value }]])
})

it('are the alternatives of an operation', () => {
  const operation = operationOf({
    security: [
      [],
      [
        { name: 'b', kind: 'basic' },
        { name: 't', kind: 'bearer' },
      ],
    ],
  })
  expect(credentialsFor(operation, call)).toEqual([[], [{ kind: 'basic' }, { kind: 'bearer' }]])
  expect(credentialsFor(undefined, call)).toEqual([])
})
