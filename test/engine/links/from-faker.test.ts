import { expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { FromFaker } from '../../../src/engine/links/from-faker.ts'
import { createClient } from '../../../src/testing/index.ts'

const properties = {
  name: { type: 'string', ...FromFaker('person.firstName') },
  age: { type: 'integer', ...FromFaker('number.int', { min: 30, max: 39 }) },
  born: { type: 'string', format: 'date', 'x-sim-link': { fromFaker: 'date.past' } },
  code: { type: 'string', 'x-sim-link': { fromFaker: { 'helpers.arrayElement': ['x7', 'x8'] } } },
  // No word is that long.
  small: { type: 'string', minLength: 40, ...FromFaker('lorem.word') },
}
const output = { type: 'object', properties, required: Object.keys(properties) }

it('draws from the seed, for each field and item on its own', async () => {
  const answers = await Promise.all(
    [1, 1, 2].map(async (seed) => {
      const api = new SimAPI({ seed }).get('/people', {
        output: { type: 'array', items: output },
        listCount: 3,
      })
      await using client = createClient(api)
      return (await client.get('/people')).json()
    }),
  )
  const [first, again, other] = answers as [Person[], Person[], Person[]]
  expect(again).toEqual(first)
  expect(other).not.toEqual(first)
  expect(new Set(first.map(({ name }) => name)).size).toBeGreaterThan(1)
  for (const { age, born, code, small } of first) {
    expect(age).toBeGreaterThanOrEqual(30)
    expect(age).toBeLessThan(40)
    expect(born).toMatch(/^202[45]-\d\d-\d\d$/)
    expect(code).toMatch(/^x[78]$/)
    expect(small.length).toBeGreaterThanOrEqual(40)
  }
})

interface Person {
  readonly name: string
  readonly age: number
  readonly born: string
  readonly code: string
  readonly small: string
}

it('refuses what is not a function of a module, or has no bound, and names the nearest', () => {
  expect(() => FromFaker('person.fristName')).toThrow(
    "no function 'person.fristName' for data. Did you mean 'person.firstName'?",
  )
  for (const name of [
    'helpers.fake',
    'helpers.multiple',
    'person.constructor',
    '__proto__.x',
    'fakerCore.x',
    'rawDefinitions.x',
  ])
    expect(() => FromFaker(name)).toThrow('faker has no function')
  expect(() => FromFaker('string.alpha', 1_000_000)).toThrow('string.alpha makes at most 10000')
  expect(() => FromFaker('date.between')).toThrow('date.between does not take these arguments')
})
