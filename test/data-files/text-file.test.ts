import { expect, it } from 'vitest'
import { textFile } from '../../src/data-files/text-file.ts'

it('has the text of a long file again when it is needed, after it was packed', () => {
  const text = 'naïve 🐕 text, '.repeat(1_200_000)
  const file = textFile('a.json', text)
  file.pack()
  file.pack()
  expect(file.text() === text).toBe(true)
})
