import { describe, expect, it } from 'vitest'
import { linesOf } from '../../../src/openapi/import/lines.ts'

function linesInJson(text: string, ...paths: string[][]): readonly number[] {
  return linesOf({ file: 'api.json', text, format: 'json', value: JSON.parse(text) as unknown }, paths)
}

describe('linesOf', () => {
  it('finds keys and items of JSON', () => {
    const text = '{\n  "a": [\n    1,\n    { "b\\"": "]" }\n  ],\n  "c": "x"\n}'
    expect(linesInJson(text, ['a'], ['a', '0'], ['a', '1', 'b"'], ['c'], ['c', 'none'])).toEqual([
      2, 3, 4, 6, 6,
    ])
  })

  it.for([['x'], ['\\n'], ['\\\\'], ['\\"']])(
    'passes over texts of any length, such as many %s',
    ([part = '']) => {
      const text = `{\n"long": "${part.repeat(10_000_000)}",\n"after": 1}`
      expect(linesInJson(text, ['after'])).toEqual([3])
    },
  )
})
