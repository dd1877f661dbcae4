import { describe, expect, it } from 'vitest'
import { recordedRoutes, templateOf } from '../../../src/recording/drift/recorded-routes.ts'
import { samplesOf } from '../inference/samples.ts'

describe('recordedRoutes', () => {
  const find = async (known: string, asked: string): Promise<string | undefined> => {
    const samples = samplesOf(...known.split(', '))
    const [request] = samplesOf(asked)
    return (await recordedRoutes(() => samples))(request as NonNullable<typeof request>)
  }

  it.for([
    ['GET /users/1', 'GET /users/2', 'GET /users/{id}'],
    ['GET /users/1/posts/2026-01-31', 'GET /users/7/posts/2026-02-28', 'GET /users/{id}/posts/{id2}'],
    ['GET /t/redacted-0123456789abcdef', 'GET /t/[redacted]', 'GET /t/{id}'],
    ['GET /users', 'HEAD /users', 'GET /users'],
    ['GET /v1/users', 'GET /v2/users', undefined],
    ['GET /users', 'POST /users', undefined],
    ['OPTIONS /users', 'OPTIONS /users', undefined],
  ] as const)('of %s knows %s as %s', async ([known, asked, expected]) => {
    expect(await find(known, asked)).toBe(expected)
  })

  it('names what is not known by its form', () => {
    const [request] = samplesOf('GET /a%20b/7/00000000-0000-4000-8000-000000000001')
    expect(templateOf(request as NonNullable<typeof request>)).toBe('/a%20b/{id}/{id2}')
  })
})
