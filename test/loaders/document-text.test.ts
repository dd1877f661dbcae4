import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { documentText } from '../../src/loaders/document-text.ts'

const shared = { type: 'string', default: '2024-01-01' }
const document = { a: shared, b: shared, c: 'yes', d: 'x'.repeat(200) }

describe('a document', () => {
  it('is written as JSON with two spaces', () => {
    expect(documentText({ a: [1] }, 'json')).toBe('{\n  "a": [\n    1\n  ]\n}\n')
  })

  it.for(['1.1', '1.2'] as const)('is written as YAML that version %s reads the same', (version) => {
    const text = documentText(document, 'yaml')
    expect(parse(text, { version })).toEqual(document)
    expect(text).not.toMatch(/[&*]a1/)
  })
})
