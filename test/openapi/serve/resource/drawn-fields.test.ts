import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { fakerLink } from '../../../../src/engine/links/from-faker.ts'
import { FromInput } from '../../../../src/engine/links/from-input.ts'
import { described, gatewayOf, inPath, json } from '../describing.ts'

type Entry = Record<string, unknown>

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const variableWith = (link: object): Entry => ({
  type: 'object',
  required: ['key', 'value'],
  properties: { key: { type: 'string' }, value: { type: 'string', ...link } },
})

it('are of a collection where functions of faker draw their fields, and of the request where links read it', async () => {
  const get = (link: object) => {
    const item = variableWith(link)
    const app = gatewayOf([
      described('GET', '/env', [json(200, { type: 'array', items: item })]),
      described('GET', '/env/{key}', [json(200, item)], { parameters: [inPath('key')] }),
    ])
    open.push(app)
    return async (path: string): Promise<unknown> => (await app.inject(path)).json()
  }
  const drawn = get(fakerLink('commerce.productName'))
  const [first = {}] = (await drawn('/env')) as Entry[]
  expect(await drawn(`/env/${encodeURIComponent(String(first['key']))}`)).toEqual(first)
  const read = get(FromInput('key'))
  expect(await read('/env/HOME')).toMatchObject({ value: 'HOME' })
})
