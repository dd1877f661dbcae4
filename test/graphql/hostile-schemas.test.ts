import { expect, it } from 'vitest'
import { readSchema } from '../../src/graphql/read-schema.ts'

const times = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('\n')

const QUERY = 'type Query { a: Int }\n'

// The package counts the lines before each mistake, and compares each name with all others.
it.each([
  ['types that come twice', QUERY + times(20_000, () => 'type A { a: Int }'), 100],
  [
    'names that are almost right',
    `type Query {\n${times(5000, (at) => `x${at}: Undefinedtype${at}`)}\n}\n${times(5000, (at) => `type Undefinedtypx${at} { a: Int }`)}`,
    100,
  ],
  ['fields that are reserved', `type Query {\n${times(20_000, (at) => `__x${at}: Int`)}\n}`, 100],
])('reports %s of a large schema in linear time', async (_what, text, count) => {
  const { problems } = await readSchema(text, 'a.graphql')
  expect(problems).toHaveLength(count)
  expect(problems[0]).toMatch(/^a\.graphql:2:\d+: /)
})

it.each([
  [
    'default values in circles',
    `input I { i: I = { i: {} } }\ntype Query { a(i: I): Int }`,
    'a.graphql: the default value of an input type goes in circles',
  ],
  [
    'a type that is extended without end',
    QUERY + times(5001, (at) => `extend type Query { x${at}: Int }`),
    'a.graphql: Query is extended more than 5000 times',
  ],
  ['too many tokens', QUERY.repeat(80_000), /^a\.graphql:\d+:\d+: .*more that? 500000 tokens/],
  [
    'too long a text',
    QUERY + '#'.repeat(2 ** 24),
    'a.graphql: it has 16777238 characters; the most is 16777216',
  ],
])('refuses %s by name', async (_what, text, message) => {
  await expect(readSchema(text, 'a.graphql')).rejects.toThrow(message)
})

it('says where a mistake is, whatever ends the lines', async () => {
  const { problems } = await readSchema('type Query {\r\n  a: Int\r  b: Xyzzyxyzzy\n}', 'a.graphql')
  expect(problems).toEqual(['a.graphql:3:6: Unknown type "Xyzzyxyzzy".'])
})
