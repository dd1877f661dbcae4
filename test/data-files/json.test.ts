import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Keys } from '../../src/data-files/data-file.ts'
import { findMistake, linesInJson, readJson } from '../../src/data-files/json.ts'

const TEXT = `{
  "a": [1, "x, [{\\"",
    {"b": {}, "c": []},
    [],
    null
  ],
  "d/e": {
    "__proto__": 1
  }
}`

describe('the lines of places in JSON', () => {
  it.for([
    [[], 1],
    [['a'], 2],
    [['a', 0], 2],
    [['a', 1], 2],
    [['a', 2], 3],
    [['a', 2, 'c'], 3],
    [['a', 3], 4],
    [['a', 4], 5],
    [['d/e'], 7],
    [['d/e', '__proto__'], 8],
    [['d/e', 'missing', 'deeper'], 7],
    [['a', 9], 2],
    [['nothing'], 1],
  ] as const)('are found: %j in %i', ([path, line]) => {
    expect(linesInJson(TEXT, [path])).toEqual([line])
  })

  it('are found however a key is written', () => {
    const { value, linesOf } = readJson('{\n\t"a": [1, {"b":\n true}],\n\t"c\\u0020d": { "e": "x\\"}" }\n}')
    expect(value).toEqual({ a: [1, { b: true }], 'c d': { e: 'x"}' } })
    expect(linesOf([['a'], ['a', '1', 'b'], ['c d', 'e'], ['none']])).toEqual([2, 2, 4, 1])
  })

  it('are those of where values were written, whatever the JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const { text, lines } = written(JSON.parse(JSON.stringify(value)))
        expect(linesInJson(text, [...lines.keys()])).toEqual([...lines.values()])
      }),
      { numRuns: 500 },
    )
  })
})

/** A value as JSON with a line for each key and item, and the lines that they stand in. */
function written(value: unknown): { text: string; lines: Map<Keys, number> } {
  const lines = new Map<Keys, number>()
  const parts: string[] = []
  const line = (): number => parts.join('').split('\n').length
  const write = (each: unknown, path: Keys): void => {
    if (each === null || typeof each !== 'object') return void parts.push(JSON.stringify(each))
    const isList = Array.isArray(each)
    parts.push(isList ? '[' : '{')
    for (const [index, [key, part]] of Object.entries(each).entries()) {
      parts.push(index === 0 ? '\n' : ' ,\n')
      const place = [...path, isList ? index : key]
      lines.set(place, line())
      if (!isList) parts.push(`${JSON.stringify(key)}\n:`)
      write(part, place)
    }
    parts.push(isList ? ']' : '}')
  }
  write(value, [])
  return { text: parts.join(''), lines }
}

/** JSON whose objects may have a key twice, with the number of keys that come again. */
const doubled: fc.Arbitrary<{ text: string; twice: number }> = fc.letrec<{
  value: { text: string; twice: number }
}>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc
      .constantFrom('1', 'null', '"a"', '"\\"b\\":"', '"\\\\"', '{}', '[]')
      .map((text) => ({ text, twice: 0 })),
    fc.array(tie('value'), { maxLength: 3 }).map((each) => ({
      text: `[${each.map(({ text }) => text).join(' ,\n')}]`,
      twice: each.reduce((sum, { twice }) => sum + twice, 0),
    })),
    fc
      .array(fc.tuple(fc.constantFrom('"a"', '"b"', '"\\u0061"', '"a\\"b"', '"__proto__"'), tie('value')), {
        maxLength: 3,
      })
      .map((entries) => ({
        text: `{${entries.map(([key, { text }]) => `${key}\n: ${text}`).join(',\n')}}`,
        twice: entries.reduce(
          (sum, [, { twice }]) => sum + twice,
          entries.length - new Set(entries.map(([key]) => JSON.parse(key) as string)).size,
        ),
      })),
  ),
})).value

describe('the keys that come twice in JSON', () => {
  it('are found with their lines, deep down and in another spelling too', () => {
    const text = '{"a": 1,\n "b": [{}, {"c": 1,\n "d": {},\n "\\u0063" : 2}],\n "a": 1, "a": 2}'
    expect(readJson(text).problems).toEqual([
      { keys: ['b', 1, 'c'], line: 4, message: "the key 'b.1.c' comes twice" },
      { keys: ['a'], line: 5, message: "the key 'a' comes twice" },
      { keys: ['a'], line: 5, message: "the key 'a' comes twice" },
    ])
    expect(readJson(text, { allowsTwice: true }).problems).toEqual([])
  })

  it.for([
    '{"a": {"a": 1}, "b": {"a": 1}}',
    '[{"a": 1}, {"a": "\\"a\\":"}]',
    '"a"',
    '{"__proto__": {}, "a": null}',
  ])('are none in %s', (text) => {
    expect(readJson(text).problems).toEqual([])
  })

  it('are all found, whatever the JSON', () => {
    fc.assert(
      fc.property(doubled, ({ text, twice }) => {
        expect(readJson(text).problems).toHaveLength(twice)
      }),
      { numRuns: 500 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

// Bits of JSON in any order: some are JSON, most only begin so.
const bits = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\u00e9', '\\u12', '"a"', '"b":', '1', '-', '0', '.5', 'e+3'],
  ...['true', 'null', 'fals', ' ', '\n', '\t', '\u0001', '\ud800', '"\\""', '/**/', '//', '\u00a0', '\ufeff'],
)

describe('a mistake in JSON', () => {
  it.for([
    ['', 1, 1],
    ['{\n"a": 1\n"b": 2\n}', 3, 1],
    ['{\n"a": 1,\n}', 3, 1],
    ['[\n1,\n2,\n]', 4, 1],
    ['{\n// comment\n"a": 1}', 2, 1],
    ["{\n\n'a': 1}", 3, 1],
    ['{"a"\n1}', 2, 1],
    ['{"a": 01}', 1, 8],
    ['{"a": "unended\n}', 1, 7],
    ['{"a":\n"\t"}', 2, 1],
    ['{}\n{}', 2, 1],
    ['{"a" 1}', 1, 6],
    ['{a: 1}', 1, 2],
    ['[1, 2', 1, 6],
    ['[1}', 1, 3],
    ['{]', 1, 2],
    ['1.', 1, 1],
    ['[tru]', 1, 2],
    ['{"a": "b\nc"}', 1, 7],
    ['["\\x"]', 1, 2],
    ['{\r\n  x', 2, 3],
  ] as const)('of %j is on line %i, column %i', ([text, line, column]) => {
    expect(findMistake(text)).toMatchObject({ line, column })
    expect(readJson(text)).toMatchObject({
      value: undefined,
      problems: [{ line, message: expect.stringMatching(/^not valid JSON: [a-z ]+$/) as unknown }],
    })
  })

  it('is found where JSON.parse finds one, and only there', () => {
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 9 }), (parts) => {
        const text = parts.join('')
        expect(findMistake(text) === undefined).toBe(isJson(text))
      }),
      { numRuns: 3000 },
    )
  })

  it('is never after what cannot be JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), fc.string(), (value, cut, rest) => {
        const text = JSON.stringify(value)
        const at = cut % (text.length + 1)
        const { line, column } = findMistake(`${text.slice(0, at)}\u0001${rest}`) ?? {}
        expect(line).toBe(1)
        expect(column).toBeLessThanOrEqual(at + 1)
      }),
    )
  })

  it.for(['"'.padEnd(9_000_000, 'a'), `${'1'.repeat(20_000_000)}x`])(
    'is found in a text of any length',
    (text) => {
      expect(findMistake(text)).toMatchObject({ line: 1 })
    },
  )

  it.for([`a${'['.repeat(100_000)}`, `${'['.repeat(100_000)}1${']'.repeat(100_000)}`])(
    'is not looked for in nesting without end',
    (text) => {
      expect(findMistake(text)).toBeUndefined()
      expect(readJson(`\n${text}`).problems).toEqual([
        { line: 2, message: 'not valid JSON here: it is nested too deep: more than 200 deep' },
      ])
    },
  )
})
