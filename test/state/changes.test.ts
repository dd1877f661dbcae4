import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createChanges, isReadingName, rootOf } from '../../src/state/changes.ts'

function after(...notes: readonly (readonly [root: string, request: string])[]): (root: string) => string {
  const changes = createChanges()
  for (const [root, request] of notes) changes.note(root, request)
  return changes.at
}

describe('createChanges', () => {
  it('says the same after the same changes in any order, and something else after others', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.string(), (requests, other) => {
        const notes = requests.map((request) => ['/a', request] as const)
        const said = after(...notes)('/a')
        expect(after(...notes.toReversed())('/a')).toBe(said)
        expect(after(...notes, ['/a', other])('/a')).not.toBe(said)
      }),
    )
  })

  it('counts what is below a path or above it, and nothing beside it', () => {
    const at = after(['/a', 'one'])
    expect(at('/a/b')).toBe(at('/a'))
    expect(at('')).toBe(at('/a'))
    expect([at('/b'), at('/ab')]).toEqual(['none', 'none'])
  })

  it('has no changes once it is reset', () => {
    const changes = createChanges()
    changes.note('/a', 'one')
    changes.reset()
    expect(changes.at('/a')).toBe('none')
  })
})

it.each([
  ['/posts/{id}/comments', '/posts'],
  ['/posts', '/posts'],
  ['/posts.json', '/posts'],
  ['/posts/{id}.json', '/posts'],
  ['/.json', '/.json'],
  ['/{db}', ''],
  ['/', '/'],
])('takes what comes before the parameters of %s', (path, root) => {
  expect(rootOf(path)).toBe(root)
})

it.each([
  ['user.get', true],
  ['isReady', true],
  ['has_items', true],
  ['/checks', true],
  ['/issues', false],
  ['/hashes', false],
  ['/checkout', false],
  ['getOrCreate', false],
])('takes %s for what only reads: %s', (name, isReading) => {
  expect(isReadingName(name)).toBe(isReading)
})
