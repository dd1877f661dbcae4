import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import type { RouteDefinition } from '../../../../src/engine/route.ts'
import { described, gatewayOf, inPath, json } from '../describing.ts'

const text = { type: 'string' }
const guid = { type: 'string', format: 'uuid' }
const apps: FastifyInstance[] = []
afterEach(() => Promise.all(apps.splice(0).map((app) => app.close())))

async function answerOf(path: string, routes: readonly RouteDefinition[]): Promise<[number, unknown]> {
  const app = gatewayOf(routes)
  apps.push(app)
  const { statusCode, body } = await app.inject(path)
  return [statusCode, JSON.parse(body)]
}

describe('items of paths whose last parameter', () => {
  it('is a field of none of them elsewhere have the value that the path has', async () => {
    const Bucket = { type: 'object', properties: { code: text } }
    const model = { $ref: '#/$defs/Bucket', $defs: { Bucket } }
    const bucket = inPath('bucket', text)
    const routes = [
      described('GET', '/buckets', [json(200, { type: 'array', items: model, $defs: model.$defs })]),
      described('GET', '/buckets/{bucket}', [json(200, model, { usual: { size: 1 } })], {
        parameters: [bucket],
      }),
      described('GET', '/buckets/{bucket}/{code}', [json(200, model, { usual: { code: 'a' } })], {
        parameters: [bucket, inPath('code', text)],
      }),
    ]
    expect(await answerOf('/buckets/abc/red', routes)).toEqual([200, { code: 'red' }])
  })

  it('names no item, but a form of one, are answered', async () => {
    const model = { type: 'object', required: ['guid'], properties: { guid } }
    const form = inPath('form', { type: 'string', enum: ['json', 'pdf'] })
    const route = described('GET', '/invoices/{guid}/{form}', [json(200, model)], {
      parameters: [inPath('guid', guid), form],
    })
    const path = '/invoices/3fa85f64-5717-4562-b3fc-2c963f66afa6/json'
    expect(await answerOf(path, [route])).toEqual([200, { guid: expect.any(String) as string }])
  })
})

it('shows no more of one than its example does', async () => {
  const Membership = {
    type: 'object',
    required: ['role'],
    properties: { role: text, note: text, user: { type: 'object', properties: { login: text } } },
  }
  const example = { role: 'admin', user: { login: 'ann' } }
  const routes = [
    described('GET', '/orgs/{org}/memberships/{username}', [json(200, Membership, { one: example })]),
    described('PUT', '/orgs/{org}/memberships/{username}', [json(200, Membership)]),
  ]
  const [, shown] = await answerOf('/orgs/a/memberships/ann', routes)
  expect(Object.keys(shown as object)).toEqual(Object.keys(example))
})
