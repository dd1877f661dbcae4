import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { beginOf, keepStore, type Begun } from '../../../src/loaders/watch/versions.ts'
import { list } from '../../../src/engine/schema/list.ts'

interface Made {
  readonly path?: string
  readonly most?: number
  readonly first?: readonly object[]
}

function make({ path = '/users', most = 9, first = [] }: Made = {}): Begun {
  const name = { type: 'string', maxLength: most }
  const User = { type: 'object', required: ['id', 'name'], properties: { id: { type: 'string' }, name } }
  const api = new SimAPI({ stateful: true })
  api.get(path, { output: list(User) }).get(`${path}/{id}`, { output: User })
  if (first.length > 0) api.seedStore(path, first)
  return beginOf(api)
}

const ANN = { id: 'a', name: 'Ann' }
const BOB = { id: 'b', name: 'Bob' }
const itemsOf = ({ api }: Begun, path = '/users'): unknown[] => [...api.store.collection(path).items()]

describe('the store of an app that takes the place of another', () => {
  it('holds what was stored, and goes on assigning where the last one stopped', () => {
    const [last, next] = [make(), make()]
    last.api.seedStore('/users', [ANN])
    last.api.store.collection('/users').assigned = 7
    expect(keepStore(last, next)).toEqual([])
    expect(itemsOf(next)).toEqual([ANN])
    expect(next.api.store.collection('/users').assigned).toBe(7)
  })

  it('holds what was stored besides the same first items', () => {
    const [last, next] = [make({ first: [ANN] }), make({ first: [ANN] })]
    last.api.seedStore('/users', [BOB])
    expect(keepStore(last, next)).toEqual([])
    expect(itemsOf(next)).toEqual([ANN, BOB])
  })

  it('holds other first items where they are declared', () => {
    const [last, next] = [make({ first: [ANN] }), make({ first: [BOB] })]
    expect(keepStore(last, next)).toEqual([])
    expect(itemsOf(next)).toEqual([BOB])
  })

  it('begins anew where items no longer fit or nothing answers, and says so', () => {
    const last = make()
    last.api.seedStore('/users', [ANN])
    const [narrow, elsewhere] = [make({ most: 2 }), make({ path: '/people' })]
    expect(keepStore(last, narrow)).toEqual([
      expect.stringMatching(
        /^\/users begins anew: item a does not fit its model: name: Value must NOT have more than 2/,
      ),
    ])
    expect(keepStore(last, elsewhere)).toEqual(['/users begins anew: no route answers it any more'])
    expect([itemsOf(narrow), itemsOf(elsewhere, '/people')]).toEqual([[], []])
  })
})
