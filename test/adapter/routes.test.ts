import fc from 'fast-check'
import { createAdapter, OptionInvalid, type Operation } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { notes, type NotesState } from './notes-adapter.ts'

const entry = (id: string, path: string, method = 'GET', aliases: string[] = []) =>
  ({
    ...{ id, path, method, aliases },
    handle: ({ params }: { readonly params: object }) => ({ id, params }),
  }) as unknown as Operation<NotesState>
const create = (operations: readonly Operation<NotesState>[]) =>
  createAdapter({ ...notes, operations, toAnswer: (failure) => ({ status: 404, body: failure }) })
const adapter = create([
  entry('list', '/items', 'GET', ['/v0/items']),
  entry('create', '/items', 'POST'),
  entry('get', '/items/{item}'),
  entry('special', '/items/special', 'POST'),
  entry('parts', '/items/{item}/parts/{part}'),
  entry('files', '/files/{path*}'),
  entry('fileList', '/files/list'),
])
const found = async (url: string, method = 'GET'): Promise<unknown> => {
  const { body } = await adapter.handle({ method, url, headers: {}, body: Buffer.alloc(0) })
  return JSON.parse(String(body))
}

describe('the operation of a path', () => {
  it.for([
    ['/items', 'GET', 'list', {}],
    ['/v0/items', 'GET', 'list', {}],
    ['/items', 'POST', 'create', {}],
    ['/items/7', 'GET', 'get', { item: '7' }],
    ['/items/special', 'POST', 'special', {}],
    ['/items/special', 'GET', 'get', { item: 'special' }],
    ['/items/a%2Fb%20c%3F', 'GET', 'get', { item: 'a/b c?' }],
    ['/items/1/parts/2', 'GET', 'parts', { item: '1', part: '2' }],
    ['/files/a/b%2Fc', 'GET', 'files', { path: 'a/b/c' }],
    ['/files/list', 'GET', 'fileList', {}],
    ['/files/list/more', 'GET', 'files', { path: 'list/more' }],
  ] as const)('is found for %s by %s', async ([path, method, id, params]) => {
    expect(await found(path, method)).toEqual({ id, params })
  })

  it.for([
    '/',
    '/item',
    '/items/',
    '/items/1/parts',
    '/items//parts/2',
    '/files',
    '/items/%zz',
    '/items/%C3',
    '',
  ])('is not found for %s', async (path) => {
    expect(await found(path)).toEqual({ kind: 'unknown-path' })
  })

  it('is not found by a method that the path does not have, but those are named that it has', async () => {
    expect(await found('/items', 'PUT')).toEqual({ kind: 'method-not-allowed', allowed: ['GET', 'POST'] })
    expect(await found('/items/7', 'OPTIONS')).toEqual({ kind: 'method-not-allowed', allowed: ['GET'] })
  })

  it.for([
    [[entry('a', '/x'), entry('b', '/x')], 'b and a both answer GET /x'],
    [[entry('a', '/x/{y}'), entry('b', '/x/{z}')], 'b and a both answer GET /x/{z}'],
    [[entry('a', 'x')], "the path 'x' must start with '/'"],
    [[entry('a', '/x{y}')], "'x{y}' in '/x{y}' is neither"],
    [[entry('a', '/{rest*}/x')], "'{rest*}' must be the last segment"],
  ] as const)('refuses %j', ([entries, message]) => {
    expect(() => create(entries)).toThrow(OptionInvalid)
    expect(() => create(entries)).toThrow(message)
  })

  it('may be declared with a slash at the end and without one', () => {
    expect(() => create([entry('a', '/x', 'GET', ['/x/'])])).not.toThrow()
  })

  it('gives back whatever values are put into a template', async () => {
    const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(value, value, async (item, part) => {
        const path = `/items/${encodeURIComponent(item)}/parts/${encodeURIComponent(part)}`
        expect(await found(path)).toEqual({ id: 'parts', params: { item, part } })
      }),
    )
  })
})
