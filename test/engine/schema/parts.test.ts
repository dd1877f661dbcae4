import { describe, expect, it } from 'vitest'
import { MAX_DEPTH, type Generate } from '../../../src/engine/schema/generate.ts'
import { createParts, type CompilePart } from '../../../src/engine/schema/parts.ts'
import { contentStream } from '../../../src/engine/random.ts'
import { scopeOf } from './generating.ts'

const at = { model: 'M', field: '' }
const stream = contentStream(1, 'parts')

describe('createParts', () => {
  it('compiles a part when a value first needs it, and once', () => {
    const compiled: string[] = []
    const parts = createParts((folded, { field }) => {
      compiled.push(field)
      return () => folded['const']
    })
    const part = { const: 1 }
    const [a, again, b] = [parts(part, at), parts(part, at), parts(part, { model: 'M', field: 'b' })]
    expect(compiled).toEqual([])
    expect([a(stream, scopeOf()), again(stream, scopeOf()), b(stream, scopeOf())]).toEqual([1, 1, 1])
    expect(compiled).toEqual(['', 'b'])
    expect(again).toBe(a)
  })

  it('counts a part within itself as much deeper than one that is only named', () => {
    const depths: number[] = []
    const [self, other] = [{}, {}]
    const compile: CompilePart =
      (folded): Generate =>
      (place, scope) => {
        depths.push(scope.depth)
        if (scope.depth <= MAX_DEPTH) parts(folded === self ? other : self, at)(place, scope)
        return undefined
      }
    const parts = createParts(compile)
    parts(self, at)(stream, scopeOf())
    expect(depths).toEqual([1, 2, 7, 12])
  })

  it('restores the depth when making a value fails', () => {
    const parts = createParts(() => () => {
      throw new Error('no')
    })
    const scope = scopeOf()
    expect(() => parts({}, at)(stream, scope)).toThrow('no')
    expect(scope.depth).toBe(0)
  })

  it('counts as deep what lies below a part that holds very many', () => {
    const depths: number[] = []
    const leaf = {}
    const parts = createParts((folded) => (place, scope) => {
      if (folded === leaf) depths.push(scope.depth)
      else for (let index = 0; index < 40; index++) parts(leaf, at)(place, scope)
      return undefined
    })
    const scope = { ...scopeOf(), depth: 1 }
    parts({ many: true }, at)(stream, scope)
    expect(depths.filter((depth) => depth === 3)).toHaveLength(29)
    expect(depths.filter((depth) => depth > MAX_DEPTH)).toHaveLength(11)
  })
})
