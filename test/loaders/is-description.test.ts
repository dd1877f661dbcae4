import { describe, expect, it } from 'vitest'
import { isDescription } from '../../src/loaders/is-description.ts'

describe('an API description', () => {
  it.for([
    'openapi: 3.1.0\ninfo: {}\n',
    '# first\ninfo: {}\n"openapi": 3.0.0\n',
    "'swagger' : '2.0'\n",
    '{"openapi":"3.1.0"}',
    '  {\n "swagger": "2.0" }',
    '{ openapi: 3.1.0, info: {} }',
    '{"info":{},"openapi":"3.1.0"}',
  ])('is known by its key: %j', (text) => {
    expect(isDescription(text)).toBe(true)
  })

  it.for([
    'routes:\n  GET /a: {}\n',
    'routes:\n  openapi: 1\n',
    'info: { openapi: 3.1.0 }\n',
    '# openapi: 3.1.0\nroutes: {}\n',
    '{"routes":{"openapi":1}}',
    '{"info":{},"openapi"',
    '',
  ])('is not every document: %j', (text) => {
    expect(isDescription(text)).toBe(false)
  })
})
