import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { list, PageSlice, PaginatedResponse } from '../../../src/engine/schema/list.ts'
import { isStandard, schemaOfModel } from '../../../src/engine/schema/standard.ts'
import { itemModelOf } from '../../../src/engine/output.ts'
import { createRoute } from '../../../src/engine/route.ts'
import { ModelInvalid, OptionInvalid } from '../../../src/errors.ts'

const DATES = [
  ['zod', z.object({ inner: z.object({ at: z.date() }) })],
  ['arktype', type({ inner: { at: 'Date' } })],
  ['valibot', toStandardJsonSchema(v.object({ inner: v.object({ at: v.date() }) }))],
] as const

const CHANGED = [
  ['zod', z.object({ count: z.string().transform(Number) })],
  ['valibot', toStandardJsonSchema(v.object({ count: v.pipe(v.string(), v.transform(Number)) }))],
] as const

describe('a model of another library', () => {
  it('is JSON Schema by what the library says of it', () => {
    const model = z.object({ size: z.coerce.number<string>().default(3) })
    expect(schemaOfModel(model, 'input')).not.toHaveProperty('required')
    expect(schemaOfModel(model, 'output')).toMatchObject({ required: ['size'] })
    expect(schemaOfModel(model, 'output')).not.toHaveProperty('$schema')
  })

  it('is left as it is when it is JSON Schema already', () => {
    const model = { type: 'string' }
    expect(schemaOfModel(model, 'input')).toBe(model)
    expect([
      isStandard(model),
      isStandard(undefined),
      isStandard(z.string()),
      isStandard(type('string')),
    ]).toEqual([false, false, true, true])
  })

  it.for(DATES)('of %s names the field that is not JSON', ([vendor, model]) => {
    expect(() => createRoute('GET', '/events', { output: model })).toThrow(
      new RegExp(`^GET /events: output: inner\\.at: .*(\\bdate\\b).* \\(${vendor}\\)$`, 'i'),
    )
    expect(() => createRoute('POST', '/events', { input: model })).toThrow(
      /^POST \/events: input: inner\.at: /,
    )
    expect(() => createRoute('GET', '/events', { output: model })).toThrow(OptionInvalid)
  })

  it.for(CHANGED)('of %s is refused as an output where a function makes its values', ([, model]) => {
    expect(schemaOfModel(model, 'input')).toMatchObject({ properties: { count: { type: 'string' } } })
    expect(() => schemaOfModel(model, 'output')).toThrow(/^count: .*transform/i)
  })

  it('is refused when its library does not speak JSON Schema', () => {
    const model = v.object({ name: v.string() })
    const message =
      /^GET \/users: output: a schema of valibot does not describe itself in JSON Schema.*toStandardJsonSchema/
    expect(() => createRoute('GET', '/users', { output: model })).toThrow(message)
    expect(() => list(model)).toThrow(ModelInvalid)
  })

  it('is refused inside of a JSON Schema, where it would mean any value', () => {
    const output = { type: 'object', properties: { user: z.object({ id: z.string() }) } }
    expect(() => createRoute('GET', '/users', { output })).toThrow(
      'GET /users: output: properties.user: a schema of zod cannot stand inside of a JSON Schema',
    )
  })

  it('repeats what its library says when that throws', () => {
    const fails = (): never => {
      throw new Error('no such target')
    }
    const model = {
      '~standard': { vendor: 'other', version: 1, jsonSchema: { input: fails, output: fails } },
    }
    expect(() => createRoute('GET', '/', { output: model })).toThrow('GET /: output: no such target (other)')
  })

  it('may hold itself, wherever it is put', () => {
    const Person = z
      .object({
        name: z.string(),
        get friends() {
          return z.array(Person)
        },
      })
      .meta({ title: 'Person' })
    const forms = [list(Person), PaginatedResponse(Person), PageSlice(Person)]
    for (const output of forms) {
      expect(JSON.stringify(output)).not.toContain('"#"')
      expect(output).toHaveProperty('$defs.Person')
      expect(itemModelOf(output)).toMatchObject({ title: 'Person', properties: { name: { type: 'string' } } })
    }
  })

  it('gives out no UUID of zeros, though ArkType accepts it', () => {
    const model = type({ id: type('string.uuid').configure({ 'x-sim-link': { fromInput: 'id' } }) })
    const { properties } = schemaOfModel(model, 'output') as { properties: { id: object } }
    expect(properties.id).toMatchObject({ type: 'string', format: 'uuid' })
    expect(JSON.stringify(properties)).not.toContain('00000000-')
    expect(JSON.stringify(schemaOfModel(model, 'input'))).toContain('00000000-')
  })

  it('has its own name where its library keeps it as a definition', () => {
    const User = z.object({ id: z.string() }).meta({ id: 'User' })
    expect(schemaOfModel(User, 'output')).toMatchObject({ title: 'User', properties: { id: {} } })
  })
})
