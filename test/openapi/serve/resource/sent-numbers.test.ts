import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import type { Schema } from '../../../../src/engine/schema/schema.ts'
import { described, inPath, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const number = { type: 'number' }
const objectOf = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})
const Feed = objectOf({ key: { ...text, format: 'uuid' }, name: text })
const Point = objectOf({ id: text, feed_id: number, height: number, value: text })
const inFeed = { parameters: [inPath('feed_key', text)] }

it('a number is never null: not for a text that is sent, nor for the key of what an item belongs to', async () => {
  const app = statefulGatewayOf(
    [
      described('GET', '/feeds', [json(200, { type: 'array', items: Feed })]),
      described('GET', '/feeds/{feed_key}', [json(200, Feed)], inFeed),
      described('GET', '/feeds/{feed_key}/data', [json(200, { type: 'array', items: Point })], inFeed),
      described('POST', '/feeds/{feed_key}/data', [json(201, Point)], {
        ...inFeed,
        takes: objectOf({ height: text, value: text }),
      }),
      described('GET', '/feeds/{feed_key}/data/{id}', [json(200, Point)], {
        parameters: [inPath('feed_key', text), inPath('id', text)],
      }),
    ],
    { stateful: true },
  )
  open.push(app)
  const [feed] = (await app.inject('/feeds')).json<{ key: string }[]>()
  const url = `/feeds/${feed?.key}/data`
  const made = await app.inject({ method: 'POST', url, payload: { height: 'tall', value: 'on' } })
  const [point] = (await app.inject(url)).json<object[]>()
  for (const each of [made.json<object>(), point])
    expect(each).toMatchObject({ height: expect.any(Number), feed_id: expect.any(Number) })
  expect(made.json()).toMatchObject({ value: 'on' })
})
