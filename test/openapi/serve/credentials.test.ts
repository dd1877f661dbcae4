import { expect, it } from 'vitest'
import { createCredentialReader } from '../../../src/openapi/serve/credentials.ts'
import type { SecurityRequirement } from '../../../src/engine/operation.ts'

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
  const read = createCredentialReader([[{ name: 'k', kind: 'apiKey', in: place, field }]])
  expect(read(call)).toEqual([[{ kind: 'apiKey', name: field, place: where, value }]])
})

it('are the alternatives of an operation', () => {
  const security: SecurityRequirement[] = [
    [],
    [
      { name: 'b', kind: 'basic' },
      { name: 't', kind: 'bearer' },
    ],
  ]
  expect(createCredentialReader(security)(call)).toEqual([[], [{ kind: 'basic' }, { kind: 'bearer' }]])
})
