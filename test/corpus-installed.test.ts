import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DESCRIPTIONS, fileOf, isInstalled } from './corpus/descriptions.ts'

const HOW = 'npm ci --prefix test/corpus && npx vitest run --config test/corpus/vitest.config.ts'

if (!isInstalled()) {
  const names = DESCRIPTIONS.map(({ name }) => `  skipped: ${name}\n`).join('')
  process.stderr.write(`\nThe corpus of large descriptions is not installed:\n${names}To test it: ${HOW}\n\n`)
}

describe(`The corpus of large descriptions is apart from these tests: ${HOW}`, () => {
  it.for(DESCRIPTIONS)('has $name', (description, { skip }) => {
    if (!isInstalled()) skip(`the corpus is not installed: ${HOW}`)
    expect(existsSync(fileOf(description))).toBe(true)
  })
})
