import { describe, expect, it } from 'vitest'
import { operationOf } from './documents.ts'

describe('operationOf', () => {
  it('tells what the route says of itself', () => {
    const texts = { summary: 'List users', description: 'All of them', tags: ['users', 'admin'] }
    expect(operationOf('GET', '/users', texts)).toEqual({
      operationId: 'getUsers',
      ...texts,
      responses: { 200: { description: 'OK' } },
    })
  })

  it('makes a summary where the route has none', () => {
    expect(operationOf('GET', '/users').summary).toBe('Get users')
  })

  it('asks for a bearer token where the route does', () => {
    expect(operationOf('GET', '/users', { bearerTokens: ['t'] }).security).toEqual([{ bearerAuth: [] }])
    expect(operationOf('GET', '/users', { bearerTokens: [] })).not.toHaveProperty('security')
  })
})
