import { describe, expect, it } from 'vitest'
import { readText } from '../../../src/openapi/import/library.ts'
import { linesOf } from '../../../src/openapi/import/problem.ts'

describe('a text', () => {
  it.for([
    ['{"a": [1]}', 'json', { a: [1] }],
    ['a: [1]', 'yaml', { a: [1] }],
    ['{a: 1}', 'yaml', { a: 1 }],
    ['base: &b {x: 1}\nown: {<<: *b, y: 2}', 'yaml', { base: { x: 1 }, own: { x: 1, y: 2 } }],
    ['day: 2020-01-01\nno: no', 'yaml', { day: '2020-01-01', no: 'no' }],
  ] as const)('%s is read as %s', ([text, format, value]) => {
    expect(readText(text, 'api.yaml')).toEqual({ format, value, problems: [] })
  })

  it('of a file that is JSON by its name is not taken for YAML', () => {
    expect(readText('{a: 1}', 'api.json').problems).toEqual([
      { line: 1, message: expect.stringMatching(/^not valid JSON/) as string },
    ])
  })

  it('may have as many brackets as it likes where they do not nest', () => {
    expect(readText(`a: "${'['.repeat(10_000)}"\nb: '${'{'.repeat(10_000)}'`, 'api.yaml').problems).toEqual(
      [],
    )
  })
})

describe('the lines of places', () => {
  const json = '{\n"a": {\n"b": [\n1,\n{"c":\n"x, \\"]"}\n],\n"d": 2\n}\n}'
  const yaml = 'a:\n  b:\n    - 1\n    - &x\n      c: 2\n  d: *x\ne: {f: 1,\n  g: 2}'

  it.for([
    [[], 1],
    [['a'], 2],
    [['a', 'b'], 3],
    [['a', 'b', '1'], 5],
    [['a', 'b', '1', 'c'], 5],
    [['a', 'd'], 8],
    [['a', 'gone', 'x'], 2],
  ] as const)('of JSON: %o is on line %i', ([path, line]) => {
    expect(linesOf({ text: json, format: 'json' }, [path])).toEqual([line])
  })

  it.for([
    [[], 1],
    [['a', 'b'], 2],
    [['a', 'b', '1', 'c'], 5],
    [['a', 'd', 'c'], 5],
    [['e', 'g'], 8],
    [['e', 'gone'], 7],
  ] as const)('of YAML: %o is on line %i', ([path, line]) => {
    expect(linesOf({ text: yaml, format: 'yaml' }, [path])).toEqual([line])
  })
})

function linesInJson(text: string, ...paths: string[][]): readonly number[] {
  return linesOf({ text, format: 'json' }, paths)
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
