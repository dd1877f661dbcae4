import { describe, expect, it } from 'vitest'
import { findDeepNesting } from '../../src/config/nesting.ts'
import { readYaml } from '../../src/config/read-yaml.ts'

describe('nesting in YAML', () => {
  it.for([
    '',
    'a: 1',
    'a: [[{ b: [1] }], "]]]"]\n',
    '- - - 1\n',
    `${' '.repeat(80)}a: 1`,
    '- 1\n'.repeat(500),
  ])('passes: %j', (text) => {
    expect(findDeepNesting(text)).toBeUndefined()
  })

  it.for([
    '['.repeat(5000),
    '{a: '.repeat(5000),
    '- '.repeat(5000),
    '? '.repeat(5000),
    `${' '.repeat(300)}a: 1`,
    '[\n'.repeat(5000),
  ])('without an end is refused before it is parsed (case %#)', (text) => {
    const { value, problems, lineOf } = readYaml(`a: 1\n${text}`)
    const line = text.startsWith('[\n') ? 102 : 2
    expect(value).toBeUndefined()
    expect(problems).toEqual([{ line, message: expect.stringMatching(/nested too deep/) as unknown }])
    expect(lineOf(['a'])).toBe(line)
  })
})
