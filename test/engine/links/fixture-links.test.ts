import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SimAPI } from '../../../src/api.ts'
import { FromJsonFixture } from '../../../src/engine/links/from-json-fixture.ts'
import { FromNestedFixture } from '../../../src/engine/links/from-nested-fixture.ts'
import { LINK, type Model } from '../../../src/engine/schema/schema.ts'
import { list } from '../../../src/engine/schema/list.ts'

// Beside this file, since a fixture's path is relative to the file that declares the link.
const folder = join(import.meta.dirname, 'fixture-links')
const DATA = 'fixture-links/data.json'

beforeAll(() => {
  mkdirSync(folder, { recursive: true })
  const users = [
    { id: 1, name: 'Ada', team: 'core' },
    { id: 2, name: 'Bob', team: 'edge' },
    { id: 3, name: 'Eve', team: 'edge' },
  ]
  const plans = { free: { seats: 1 }, pro: { seats: 50 } }
  writeFileSync(join(folder, 'data.json'), JSON.stringify({ users, plans, nothing: null, text: 'words' }))
})
afterAll(() => rmSync(folder, { recursive: true }))

const Input = Type.Object({
  plan: Type.Optional(Type.String()),
  id: Type.Optional(Type.Integer()),
  team: Type.Optional(Type.String()),
})
const Seats = Type.Object({ seats: Type.Integer() })
const User = Type.Object({ id: Type.Integer(), name: Type.String(), team: Type.String() }, { title: 'User' })

async function fieldOf(field: Model, url = '/x'): Promise<{ status: number; value: unknown; body: unknown }> {
  const api = new SimAPI({ seed: 1 }).get('/x', {
    input: Input,
    output: { type: 'object', required: ['f'], properties: { f: field } },
  })
  const response = await api.asWebApp().inject(url)
  const body = response.json<Record<string, unknown>>()
  return { status: response.statusCode, value: body['f'], body }
}

const variants = { variantFrom: 'plan', variants: { pro: 'plans/pro' } }

describe('FromJsonFixture', () => {
  it('takes the value at the pointer', async () => {
    const field = Type.Object({ seats: Type.Integer() }, FromJsonFixture(DATA, { pointer: '/plans/free' }))
    expect((await fieldOf(field)).value).toEqual({ seats: 1 })
  })

  it('takes the variant that an input field names, and the base pointer for any other', async () => {
    const field = { ...Seats, ...FromJsonFixture(DATA, { pointer: 'plans/free', ...variants }) }
    expect((await fieldOf(field, '/x?plan=pro')).value).toEqual({ seats: 50 })
    expect((await fieldOf(field, '/x?plan=other')).value).toEqual({ seats: 1 })
    expect((await fieldOf(field, '/x?plan=constructor')).value).toEqual({ seats: 1 })
    expect((await fieldOf(field)).value).toEqual({ seats: 1 })
  })

  it('leaves the field generated on a miss, and answers 500 Fixture miss when strict', async () => {
    const loose = await fieldOf(Type.Integer(FromJsonFixture(DATA, { pointer: 'plans/none' })))
    expect([loose.status, typeof loose.value]).toEqual([200, 'number'])
    const strict = await fieldOf(Type.Integer(FromJsonFixture('nowhere.json', { pointer: '', strict: true })))
    expect([strict.status, strict.body]).toEqual([500, expect.objectContaining({ detail: 'Fixture miss' })])
  })

  it('answers 500 naming the field for a found value that does not fit, and generates for a null', async () => {
    const misfit = await fieldOf(Type.Integer(FromJsonFixture(DATA, { pointer: 'text' })))
    expect([misfit.status, JSON.stringify(misfit.body)]).toEqual([
      500,
      expect.stringContaining('GET /x: the model.f'),
    ])
    expect(typeof (await fieldOf(Type.Integer(FromJsonFixture(DATA, { pointer: 'nothing' })))).value).toBe(
      'number',
    )
  })

  it('works from data, relative to the working directory', async () => {
    const path = 'test/engine/links/fixture-links/data.json'
    const link = { [LINK]: { fromJsonFixture: { path, pointer: 'plans/free/seats', ...variants } } }
    expect((await fieldOf({ type: 'integer', ...link })).value).toBe(1)
    const malformed = () => fieldOf({ type: 'integer', [LINK]: { fromJsonFixture: 'x.json' } })
    await expect(malformed()).rejects.toThrow('fromJsonFixture takes { path, pointer')
  })

  it('says what is missing when links are validated', () => {
    const field = Type.Integer(
      FromJsonFixture(DATA, { pointer: 'plans/none', variantFrom: 'pln', variants: { a: 'b' } }),
    )
    const api = new SimAPI({ validateLinks: true }).get('/x', {
      input: Input,
      output: Type.Object({ f: field }),
    })
    expect(() => api.asWebApp()).toThrow(/'none' is missing[^]*'b' is missing|'pln'/)
  })
})

describe('FromNestedFixture', () => {
  it.for([
    [{ where: { id: 'id' } }, '/x?id=2', 'Bob'],
    [{ where: { team: 'team', id: 'id' } }, '/x?team=edge&id=3', 'Eve'],
    [{ where: { team: 'team' } }, '/x?team=edge', 'Bob'],
    [{ where: { team: 'team' }, index: 1 }, '/x?team=edge', 'Eve'],
    [{ index: 2 }, '/x', 'Eve'],
    [{ index: -1 }, '/x', 'Eve'],
    [{ where: {} }, '/x', 'Ada'],
    [{}, '/x', 'Ada'],
  ] as const)('with %j finds for %s the item %s', async ([options, url, name]) => {
    const { value } = await fieldOf(
      { ...User, ...FromNestedFixture(DATA, { pointer: 'users', ...options }) },
      url,
    )
    expect(value).toMatchObject({ name })
  })

  it('matches a number in the file with a path parameter, which is a text', async () => {
    const output = {
      ...User,
      ...FromNestedFixture(DATA, { pointer: 'users', where: { id: 'user' }, strict: true }),
    }
    const api = new SimAPI({ seed: 1 }).get('/users/{user}', { output: Type.Object({ user: output }) })
    expect((await api.asWebApp().inject('/users/2')).json()).toMatchObject({ user: { name: 'Bob' } })
    expect((await api.asWebApp().inject('/users/9')).json()).toMatchObject({ detail: 'Fixture miss' })
  })

  it.for([
    [{ where: { id: 'id' } }, '/x?id=9'],
    [{ where: { id: 'id' } }, '/x'],
    [{ index: 7 }, '/x'],
    [{ pointer: 'plans' }, '/x'],
    [{ pointer: 'nobody' }, '/x'],
  ] as const)('with %j misses for %s', async ([options, url]) => {
    const place = { pointer: 'users', ...options }
    expect(
      (await fieldOf({ ...User, ...FromNestedFixture(DATA, { ...place, strict: true }) }, url)).status,
    ).toBe(500)
    expect((await fieldOf({ ...User, ...FromNestedFixture(DATA, place) }, url)).status).toBe(200)
  })

  it('applies to the items of a list', async () => {
    const Row = Type.Object({ first: { ...User, ...FromNestedFixture(DATA, { pointer: 'users' }) } })
    const api = new SimAPI({ seed: 1 }).get('/rows', { output: list(Row), listCount: 2 })
    const rows = (await api.asWebApp().inject('/rows')).json<unknown[]>()
    expect(rows).toEqual([
      { first: expect.objectContaining({ name: 'Ada' }) },
      { first: expect.objectContaining({ name: 'Ada' }) },
    ])
  })

  it('refuses malformed data', async () => {
    const malformed = () => fieldOf({ type: 'object', [LINK]: { fromNestedFixture: { path: 'x.json' } } })
    await expect(malformed()).rejects.toThrow('fromNestedFixture takes { path, pointer')
  })
})
