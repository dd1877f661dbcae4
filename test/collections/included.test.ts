import { expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { Paged } from '../../src/engine/schema/list.ts'

const text = { type: 'string' }
const item = { type: 'object', properties: { type: text, id: text, name: text } }
const data = { type: 'object', properties: { data: item } }
const AT = { people: '/people/{id}', towns: '/towns/{id}' }

it('answers what the items refer to beside them, as the query names it', async () => {
  const api = new SimAPI({ seed: 1, stateful: true })
  const includes = { parameter: 'include', to: '/included', at: AT }
  api.get('/books', {
    output: Paged({ type: 'object', properties: { data: { type: 'array', items: item } } }),
    item: { includes: { ...includes, from: '/data', always: true } },
  })
  api.get('/books/{id}', { output: data, item: { answer: '/data', includes } })
  for (const path of ['/people/{id}', '/towns/{id}']) api.get(path, { output: item })
  const to = (type: string, id: string) => ({ data: { type, id } })
  api.seedStore('/towns', [{ type: 'towns', id: 't', name: 'Rome' }])
  api.seedStore('/people', [
    { type: 'people', id: 'a', name: 'Ada', relationships: { town: to('towns', 't') } },
    { type: 'people', id: 'b', name: 'Bo' },
  ])
  api.seedStore('/books', [
    { type: 'books', id: '1', relationships: { author: to('people', 'a'), editor: to('people', 'gone') } },
    { type: 'books', id: '2', relationships: { author: to('people', 'a'), editor: to('people', 'b') } },
  ])
  const app = api.asWebApp()
  const includedIn = async (url: string): Promise<unknown> => {
    const { included } = (await app.inject(url)).json<{ included?: { id: string }[] }>()
    return included?.map(({ id }) => id)
  }
  expect(await includedIn('/books')).toEqual([])
  expect(await includedIn('/books?include=author')).toEqual(['a'])
  expect(await includedIn('/books?include=editor,author')).toEqual(['b', 'a'])
  expect(await includedIn('/books/1')).toBeUndefined()
  expect(await includedIn('/books/1?include=editor')).toEqual([])
  expect(await includedIn('/books/2?include=author.town')).toEqual(['a', 't'])
})
