import { describe, expect, it } from 'vitest'
import '../../../src/engine/links/built-in.ts'
import { sampleParameters } from '../../../src/loaders/sampling/sample-parameters.ts'
import { FromInput } from '../../../src/engine/links/from-input.ts'
import { list } from '../../../src/engine/schema/list.ts'
import type { RouteOptions } from '../../../src/engine/route-options.ts'
import { createRoute } from '../../../src/engine/route.ts'

function sample(
  path: string,
  options: RouteOptions,
  input: Record<string, unknown> = {},
): Record<string, string> {
  const route = createRoute('GET', path, options)
  return sampleParameters(route, [route], input, 1)
}

const object = (properties: object): object => ({ type: 'object', properties })

describe('sample path parameters', () => {
  it('come from the input', () => {
    const input = { a: 'x y', b: 7, c: true }
    expect(sample('/{a}/{b}/{c}', {}, input)).toEqual({ a: 'x y', b: '7', c: 'true' })
  })

  it.for([[''], ['.'], ['..'], [null], [{}]] as const)('do not come from an input of %j', ([value]) => {
    expect(sample('/x/{a}/y', {}, { a: value })).toEqual({ a: '1' })
  })

  it('fit the field that a link fills with them', () => {
    const output = object({
      id: { type: 'string' },
      owner: { type: 'integer', minimum: 70, maximum: 79, ...FromInput('id') },
    })
    expect(sample('/x/{id}', { output })['id']).toMatch(/^7\d$/)
    expect(sample('/x/{id}', { output: list(output) })['id']).toMatch(/^7\d$/)
  })

  it('fit the field of their name, references included', () => {
    const output = {
      $defs: { Id: { type: 'string', pattern: '^u-[0-9]{3}$' } },
      ...object({ id: { $ref: '#/$defs/Id' } }),
    }
    expect(sample('/x/{id}/y', { output })['id']).toMatch(/^u-\d{3}$/)
  })

  it('fit the id of the items where the last one has another name', () => {
    const output = object({ id: { type: 'integer', minimum: 5, maximum: 5 } })
    expect(sample('/orgs/{org}/users/{user}', { output })).toEqual({ org: '1', user: '5' })
  })

  it('are 1 where nothing says more, or what does cannot be generated', () => {
    expect(sample('/x/{id}', {})).toEqual({ id: '1' })
    expect(sample('/x/{id}', { output: object({ id: true }) })).toEqual({ id: '1' })
    expect(sample('/x/{id}', { output: object({ id: { $ref: '#/nothing' } }) })).toEqual({ id: '1' })
    expect(sample('/x/{id}', { output: object({ id: { type: 'object' } }) })).toEqual({ id: '1' })
  })
})
