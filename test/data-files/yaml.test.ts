import { describe, expect, it } from 'vitest'
import { findDeepNesting, readYaml } from '../../src/data-files/yaml.ts'

describe('reading YAML', () => {
  it('gives the line of a key, through aliases too, or of the nearest key above it', () => {
    const { linesOf } = readYaml('a: &x\n  b: 1\n  c: 2\nd: *x\n? [1]\n: 2\n')
    expect(linesOf([['a'], ['a', 'c'], ['d', 'b'], ['a', 'none', 'deeper'], ['none'], []])).toEqual([
      1, 3, 2, 1, 1, 1,
    ])
  })

  it.for([
    ['a: 1\n"b c": 2\n"b c": 3\n', { line: 3, message: "the key 'b c' comes twice" }],
    ['a: 1\nb: *nothing\n', { line: 2, message: expect.stringMatching(/Unresolved alias.*nothing/) }],
    [
      'a: 1\nb: !!js/function "x"\n',
      { line: 2, message: expect.stringMatching(/not valid YAML: Unresolved tag/) },
    ],
    ['a: 1\n---\nb: 2\n', { line: 2, message: expect.stringMatching(/multiple documents/) }],
    ['a: 1\nb: &x [*x]\n', { line: 2, message: expect.stringMatching(/not valid YAML: .*circular/) }],
    ['a: 1\nb: [1\nc: 2', { line: 3, message: expect.stringMatching(/not valid YAML: Flow sequence/) }],
  ] as const)('places a mistake: %j', ([text, problem]) => {
    expect(readYaml(text).problems).toContainEqual(problem)
  })

  it('does not report one mistake twice', () => {
    const messages = readYaml(`b: ${'['.repeat(50)}`).problems.map(({ message }) => message)
    expect(new Set(messages).size).toBe(messages.length)
  })

  it('does not expand aliases without bound', () => {
    const level = (name: string, of: string): string => `${name}: &${name} [${`*${of},`.repeat(9)}]\n`
    const names = ['b', 'c', 'd', 'e', 'f', 'g']
    const text = `a: &a [1]\n${names.map((name, index) => level(name, ['a', ...names][index] ?? '')).join('')}`
    const { value, problems } = readYaml(text)
    expect(value).toBeUndefined()
    expect(problems).toEqual([{ line: 7, message: expect.stringMatching(/alias/) }])
  })
})

describe('nesting in YAML', () => {
  it.for([
    '',
    'a: 1',
    'a: [[{ b: [1] }], "]]]"]\n',
    '- - - 1\n',
    `${' '.repeat(300)}a: 1`,
    `a: "${'['.repeat(5000)}"`,
    '- 1\n'.repeat(500),
  ])('passes: %j', (text) => {
    expect(findDeepNesting(text)).toBeUndefined()
  })

  it.for([
    ['['.repeat(5000), 2],
    ['{a: '.repeat(5000), 2],
    ['- '.repeat(5000), 2],
    ['? '.repeat(5000), 2],
    [Array.from({ length: 400 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''), 203],
    [`b: ${'[\n '.repeat(5000)}`, 202],
  ] as const)('without an end is refused before it is parsed (case %#)', ([text, line]) => {
    const { value, problems, linesOf } = readYaml(`a: 1\n${text}`)
    expect(value).toBeUndefined()
    expect(problems).toEqual([
      { line, message: 'not valid YAML here: it is nested too deep: more than 200 deep' },
    ])
    expect(linesOf([['a']])).toEqual([line])
  })
})

// With each key compared with all before it, this takes minutes.
it('reads a map of many keys, and finds its lines, in linear time', () => {
  const count = 100_000
  const text = Array.from({ length: count }, (_, at) => `k${at}: ${at}\n`).join('')
  const { problems, linesOf } = readYaml(`${text}k7: 1\n`)
  expect(problems).toEqual([{ line: count + 1, message: "the key 'k7' comes twice" }])
  const places = Array.from({ length: count }, (_, at) => [`k${at}`])
  expect(linesOf(places).at(-1)).toBe(count)
})

// With each alias looked for among all anchors, this takes half a minute.
it('reads many aliases of many anchors, and finds one without an anchor, in linear time', () => {
  const names = Array.from({ length: 10_000 }, (_, at) => at)
  const anchors = names.map((at) => `&a${at} { n: ${at} }`).join(', ')
  const aliases = names.map((at) => `*a${at}`).join(', ')
  const text = `of: [${anchors}]\nto: [${aliases}]\n`
  expect(readYaml(text).value).toMatchObject({ to: { 9999: { n: 9999 } } })
  expect(readYaml(`${text}no: *none\n`).problems.map(({ line }) => line)).toEqual([3])
})

it('merges what is merged ten times ten times only so far', () => {
  const tenTimes = Array.from({ length: 30 }, (_, at) => {
    const before = Array.from({ length: 10 }, () => `*m${at}`)
    return `m${at + 1}: &m${at + 1} { <<: [${before.join(', ')}], k${at}: 1 }\n`
  })
  const { value, problems } = readYaml(`m0: &m0 { k: 1 }\n${tenTimes.join('')}`)
  expect(value).toBeUndefined()
  expect(problems).toEqual([
    { line: 31, message: 'not valid YAML: its aliases expand to more than 10000000 values' },
  ])
  expect(readYaml('a: &a\n  <<: *a\n').problems).toEqual([
    { line: 2, message: 'not valid YAML: a merge key is circular: it stands within what it names' },
  ])
  const merged = 'a: &a { n: 1, x: 1 }\nb: &b { <<: *a, n: 2 }\nc: { <<: [*b, *a], z: 3 }\n'
  expect(readYaml(merged).value).toMatchObject({ c: { n: 2, x: 1, z: 3 } })
})
