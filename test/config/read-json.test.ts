import { describe, expect, it } from 'vitest'
import { readJson } from '../../src/config/read-json.ts'

describe('reading JSON', () => {
  it('tells the line of a key', () => {
    const { value, lineOf } = readJson('{\n\t"a": [1, {"b":\n true}],\n\t"c\\u0020d": { "e": "x\\"}" }\n}')
    expect(value).toEqual({ a: [1, { b: true }], 'c d': { e: 'x"}' } })
    expect([['a'], ['a', '1', 'b'], ['c d', 'e'], ['none']].map(lineOf)).toEqual([2, 2, 4, 1])
  })

  it.for([
    ['', 1],
    ['{\n"a": 1\n"b": 2\n}', 3],
    ['{\n"a": 1,\n}', 3],
    ['[\n1,\n2,\n]', 4],
    ['{\n// comment\n"a": 1}', 2],
    ["{\n\n'a': 1}", 3],
    ['{"a"\n1}', 2],
    ['{"a": 01}', 1],
    ['{"a": "unended\n}', 1],
    ['{"a":\n"\t"}', 2],
    ['{}\n{}', 2],
    ['{"a":\n\n', 3],
  ] as const)('places the mistake of %j on line %i', ([text, line]) => {
    expect(readJson(text)).toMatchObject({
      value: undefined,
      problems: [{ line, message: expect.stringMatching(/^not valid JSON: /) as unknown }],
    })
  })

  it('survives nesting without end', () => {
    expect(readJson('['.repeat(100_000)).problems).toHaveLength(1)
  })
})
