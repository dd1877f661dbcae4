import { describe, expect, it } from 'vitest'
import { looksLikeJson, parseJsonText } from '../../src/engine/json-text.ts'
import { issuesOf } from '../openapi/serve/reading.ts'

describe('a JSON text', () => {
  it('is read', () => {
    expect(parseJsonText(' {"a":[1,null]} ', ['body'])).toEqual({ a: [1, null] })
  })

  it.for(['', '{', '{"__proto__":1}', '{"constructor":{"prototype":1}}', '['.repeat(201) + ']'.repeat(201)])(
    'is refused as %s',
    (text) => {
      const issues = issuesOf(() => parseJsonText(text, ['query', 'a']))
      expect(issues).toMatchObject([{ type: 'json_invalid', loc: ['query', 'a'], input: text.slice(0, 200) }])
    },
  )

  it('is one, by its looks, where it starts with a bracket', () => {
    expect([' [', '\n{}', 'a', '1', ''].map(looksLikeJson)).toEqual([true, true, false, false, false])
  })
})
