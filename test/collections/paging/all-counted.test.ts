import { expect, it } from 'vitest'
import { Paged } from '../../../src/engine/schema/list.ts'
import { SimAPI } from '../../../src/api.ts'

const WORD = {
  type: 'object',
  properties: { id: { type: 'integer' }, kind: { type: 'string' } },
  required: ['id'],
}
const PAGE = {
  type: 'object',
  properties: {
    data: { type: 'array', items: WORD },
    meta: { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] },
    links: {
      type: 'object',
      properties: { first: { type: 'string' }, next: { type: 'string' } },
      required: ['first'],
    },
  },
  required: ['data', 'meta', 'links'],
}
const NUMBER = { type: 'integer' }

it('counts what a request leaves out, and names the beginning where the request names one', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const input = { type: 'object', properties: { kind: { type: 'string' }, offset: NUMBER, limit: NUMBER } }
  api.get('/words', { input, output: Paged(PAGE), select: { filter: ['kind'], total: 'all' } })
  api.seedStore(
    '/words',
    ['verb', 'noun', 'verb'].map((kind, at) => ({ id: at + 1, kind })),
  )
  const app = api.asWebApp()
  const get = async (url: string): Promise<unknown> => (await app.inject({ method: 'GET', url })).json()
  const nouns = await get('/words?kind=noun&limit=1')
  expect(nouns).toMatchObject({ data: [{ id: 2 }], meta: { total: 3 } })
  expect(nouns).not.toHaveProperty('links.next')
  expect(await get('/words?offset=1&limit=1')).toMatchObject({
    links: { first: expect.stringContaining('offset=0') as string },
  })
  expect(await get('/words?limit=1')).toMatchObject({
    links: { first: expect.stringMatching(/\?limit=1$/) as string },
  })
})

it('names the list itself as its first and last page where there are no others, and of an empty one, too', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const END = { type: ['string', 'null'] }
  const properties = { words: { type: 'array', items: WORD }, first: END, last: END }
  api.get('/words', {
    input: { type: 'object', properties: { kind: { type: 'string' } } },
    output: Paged({ type: 'object', properties, required: ['words', 'first', 'last'] }),
    select: { filter: ['kind'] },
  })
  api.seedStore('/words', [{ id: 1, kind: 'verb' }])
  const app = api.asWebApp()
  const ends = async (url: string): Promise<unknown> => {
    const { first, last } = (await app.inject({ method: 'GET', url })).json<Record<string, string>>()
    return [first, last].map((each) => each?.replace(/^\w+:\/\/[^/]+/, ''))
  }
  expect(await ends('/words')).toEqual(['/words', '/words'])
  expect(await ends('/words?kind=noun')).toEqual(['/words?kind=noun', '/words?kind=noun'])
})
