import { describe, expect, it } from 'vitest'
import { createEntities, entityChange } from '../../src/state/entities.ts'

type Change = Partial<Parameters<typeof entityChange>[0]>

function after(...changes: readonly (readonly [request: string, more?: Change])[]) {
  const entities = createEntities()
  for (const [request, more] of changes) {
    const [method = '', url = ''] = request.split(' ')
    entities.note(
      entityChange({
        ...{ method, url, sent: undefined, answered: undefined, location: undefined },
        ...more,
      }),
    )
  }
  return entities
}

describe('what became of a path', () => {
  it('is found in linear time, however many segments it has', () => {
    const deep = '/a'.repeat(200_000)
    const { at } = after(['DELETE /gone'], [`PUT ${deep}`, { sent: 'one' }], [`DELETE ${deep}`])
    expect(at(`${deep}/b`).state).toBe('new')
    expect(at(`/gone${deep}`).state).toBe('gone')
  })

  it('is what was sent to it, wherever it was copied or moved to', () => {
    const { at } = after(
      ['PUT /docs/a', { sent: 'one' }],
      ['PUT /docs/b', { sent: 'two' }],
      ['COPY /docs/a', { destination: 'http://any/docs/c' }],
      ['MOVE /docs', { destination: '/old/' }],
    )
    expect(at('/old/')).toMatchObject({ state: 'there' })
    expect(at('/old/c')).toMatchObject({ state: 'there', sent: 'one' })
    expect(at('/old/b')).toMatchObject({ state: 'there', sent: 'two' })
    for (const path of ['/docs', '/docs/', '/docs/a', '/docs/c']) expect(at(path)).toEqual({ state: 'gone' })
  })

  it('stays when it is locked, or its properties change', () => {
    const { at } = after(['PUT /a', { sent: 'one' }], ['LOCK /a'], ['PROPPATCH /a', { sent: '<x/>' }])
    expect(at('/a')).toMatchObject({ state: 'there', sent: 'one' })
    expect(after(['LOCK /b']).at('/b')).toEqual({ state: 'new' })
  })

  it.each([
    ['if-match', '"1"', '/a', 'met'],
    ['if-match', 'W/"0", "1"', '/a', 'met'],
    ['if-match', '"2"', '/a', 'failed'],
    ['if-match', '*', '/a', 'met'],
    ['if-match', '*', '/none', 'failed'],
    ['if-none-match', '*', '/a', 'failed'],
    ['if-none-match', '*', '/none', 'met'],
    ['if-none-match', '"1"', '/a', 'failed'],
    ['accept', '*/*', '/a', undefined],
  ])('says whether %s: %s holds of %s', (name, value, path, condition) => {
    expect(after(['PUT /a', { etag: '"1"' }]).at(path, { [name]: value }).condition).toBe(condition)
  })
})

it('is there by itself after an operation of its own, and gone with what it belongs to', () => {
  const { at, note } = createEntities()
  const change = { by: 'put', answered: 'done' }
  note({ ...change, method: 'PUT', path: 'box/a', sent: 1 })
  note({ ...change, method: 'PUT', path: 'box/a/lid', sent: 2 })
  note({ ...change, method: 'PUT', path: 'box/a', by: 'tag', sent: 3, answered: 'tagged' })
  expect(at('box/a')).toEqual({
    ...{ state: 'there', by: 'tag', sent: { put: 1, tag: 3 }, answered: 'tagged', made: 'done', writes: 2 },
  })
  note({ method: 'DELETE', path: 'box/a', by: 'drop', sent: 4, answered: 'gone' })
  expect(at('box/a')).toEqual({ state: 'gone', by: 'drop', sent: { put: 1, tag: 3 } })
  expect([at('box/a/lid').state, at('box/b').state]).toEqual(['gone', 'new'])
})

it('takes a path for the same whose signs are percent-encoded or not', () => {
  const { at, note } = createEntities()
  const answered = { ok: true }
  const location = 'http://api.example.com/notes/a=='
  const url = '/notes/a%3D%3d'
  note(entityChange({ method: 'PUT', url, sent: 'x', answered, location }))
  expect([at(url).state, at('/notes/a==').state, at('/notes/a%3D').state]).toEqual(['there', 'there', 'new'])
  note(entityChange({ method: 'PUT', url: '/notes/a%2Fb', sent: 'y', answered, location: undefined }))
  expect([at('/notes/a%2fb').state, at('/notes/a/b').state]).toEqual(['there', 'new'])
})
