import { expect, it } from 'vitest'
import { checkByRules } from '../../../src/openapi/import/check-by-rules.ts'

const NOT_CHECKED = 'is not checked by the rules of its specification: its references'

function textOf(schemas: object): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'References', version: '1' },
    paths: {},
    components: { schemas },
  })
}

function chainOf(length: number, part: (next: object) => object): object {
  const schemas = Array.from({ length }, (_, index) => [
    `A${index}`,
    part({ $ref: `#/components/schemas/A${index + 1}` }),
  ])
  return { ...Object.fromEntries(schemas), [`A${length}`]: { type: 'string' } }
}

it.for<[string, object, string]>([
  ['expand far', chainOf(60, (next) => ({ allOf: [next, next] })), 'expand to more than 10000000 values'],
  ['nest deep', chainOf(5000, (next) => ({ properties: { a: next } })), 'nest deeper than 400 levels'],
])('leaves out a description whose references %s', async ([, schemas, why]) => {
  const problems = await checkByRules({ file: 'api.json', text: textOf(schemas), isAlone: true })
  expect(problems.map(({ message }) => message)).toEqual([`${NOT_CHECKED} ${why}`])
})

it.for(['parameters', 'tags'])('leaves out a description that has too many %s to compare', async (list) => {
  const items = Array.from({ length: 20_000 }, (_, index) => ({ name: `p${index}`, in: 'query', schema: {} }))
  const get = { [list]: items, responses: { 200: { description: 'A' } } }
  const text = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'A', version: '1' },
    paths: { '/a': { get } },
  })
  const problems = await checkByRules({ file: 'api.json', text, isAlone: true })
  expect(problems.map(({ message }) => message)).toEqual([
    `is not checked by the rules of its specification: it has a list of 20000 ${list}`,
  ])
})

it('checks one whose references go in circles', async () => {
  const self = { type: 'object', properties: { a: { $ref: '#/components/schemas/A' } } }
  expect(await checkByRules({ file: 'api.json', text: textOf({ A: self }), isAlone: true })).toEqual([])
})
