import { expect, it } from 'vitest'
import { createSource } from '../../../src/openapi/import/source.ts'

it('has the text of a long file again when it is needed, after it was packed', () => {
  const text = 'naïve 🐕 text, '.repeat(1_200_000)
  const source = createSource('a.json', text, { format: 'json', value: {} })
  source.pack()
  source.pack()
  expect(source.text() === text).toBe(true)
})
