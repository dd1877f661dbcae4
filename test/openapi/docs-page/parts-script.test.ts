import { describe, expect, it } from 'vitest'
import { PARTS_SCRIPT } from '../../../src/openapi/docs-page/parts-script.ts'
import { functionsOf } from './page.ts'

interface PartsScript {
  readable(text: string): string
  json(value: unknown): string
}
const { readable, json } = functionsOf<PartsScript>(PARTS_SCRIPT, ['readable', 'json'])

describe("the page's script for its parts", () => {
  it('makes bodies readable', () => {
    expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}')
    expect(readable('<p>')).toBe('<p>')
    expect(readable('')).toBe('No body')
    expect(readable('x'.repeat(200_000))).toHaveLength(100_000)
    expect(json('text')).toBe('text')
    expect(json([1])).toBe('[\n  1\n]')
  })

  it('never makes markup of data', () => {
    expect(PARTS_SCRIPT).not.toMatch(
      /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function/,
    )
  })
})
