import { expect, it } from 'vitest'
import { described, inPath, json, query, statefulGatewayOf } from '../describing.ts'

const [text, integer] = [{ type: 'string' }, { type: 'integer' }]
const object = (properties: Record<string, unknown>) => ({
  ...{ type: 'object', properties, required: Object.keys(properties) },
})
const [Folder, File] = [object({ id: integer, title: text }), object({ id: integer, name: text })]

const ROUTES = [
  described('GET', '/folders', [json(200, { type: 'array', items: Folder })]),
  described('GET', '/folders/{id}', [json(200, Folder)], { parameters: [inPath('id', integer)] }),
  described('POST', '/folders', [json(201, Folder)], { takes: object({ title: text }) }),
  described('GET', '/files', [json(200, { type: 'array', items: File })], {
    parameters: [query('folder_id', integer), query('limit', integer)],
  }),
  described('GET', '/files/{id}', [json(200, File)], { parameters: [inPath('id', integer)] }),
  described('POST', '/files', [json(201, File)], {
    takes: { type: 'object', properties: { name: text, folder_id: integer } },
  }),
]

it('lists choose by the other item that theirs were made for, and do not show', async () => {
  const app = statefulGatewayOf(ROUTES, { stateful: true, seed: 1 })
  const send = async (method: 'GET' | 'POST', url: string, payload?: object) =>
    (await app.inject({ method, url, ...(payload && { payload }) })).json<Record<string, unknown>>()
  const listOf = async (url: string) =>
    (await send('GET', url)) as unknown as readonly Record<string, unknown>[]

  const all = await listOf('/files?limit=50')
  const ofEach = await Promise.all(
    (await listOf('/folders?limit=50')).map(async ({ id }) => listOf(`/files?folder_id=${String(id)}`)),
  )
  expect(ofEach.flat().toSorted((a, b) => Number(a['id']) - Number(b['id']))).toEqual(all)

  const folder = await send('POST', '/folders', { title: 'New' })
  const own = `/files?folder_id=${String(folder['id'])}`
  expect(await listOf(own)).toEqual([])
  const made = await send('POST', '/files', { name: 'One', folder_id: folder['id'] })
  expect(Object.keys(made).toSorted()).toEqual(['id', 'name'])
  await send('POST', '/files', { name: 'Of none' })
  expect(await listOf(own)).toEqual([made])
  await app.close()
})
