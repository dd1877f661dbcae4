import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { described, inPath, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const text = { type: 'string' }
const channel = {
  type: 'object',
  required: ['channelId', 'region'],
  properties: { channelId: text, region: text },
}

it.for(['oneOf', 'anyOf'])(
  'a list of names or of objects (%s) has the items that are found by their ids',
  async (either) => {
    const lists = {
      [either]: [
        { type: 'array', items: text },
        { type: 'array', items: channel },
      ],
    }
    const app = statefulGatewayOf(
      [
        described('GET', '/channels', [json(200, lists)]),
        described('GET', '/channels/{channel_id}', [json(200, channel)], {
          parameters: [inPath('channel_id', text)],
        }),
      ],
      { stateful: true },
    )
    open.push(app)
    const listed = (await app.inject('/channels')).json<{ channelId: string }[]>()
    expect(listed.length).toBeGreaterThan(0)
    for (const item of listed) expect((await app.inject(`/channels/${item.channelId}`)).json()).toEqual(item)
  },
)
