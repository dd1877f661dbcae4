import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { described, gatewayOf, inPath, json } from '../describing.ts'

type Entry = Record<string, unknown>

const NAMES = [
  'user',
  'team',
  'drive',
  'list',
  'site',
  'chat',
  'event',
  'note',
  'plan',
  'book',
  'task',
  'file',
]
const text = { type: 'string' }

// Each has one and several of each of the others, of which it may well show nothing at all.
const $defs: Entry = Object.fromEntries(
  NAMES.map((own) => [
    own,
    {
      type: 'object',
      required: ['id', 'kind'],
      properties: {
        ...{ id: { type: 'string', format: 'uuid' }, kind: { const: own } },
        ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`text${index}`, text])),
        ...Object.fromEntries(NAMES.map((other) => [`${other}s`, listOf(other)])),
        ...Object.fromEntries(
          NAMES.map((other) => [other, { anyOf: [{ $ref: `#/$defs/${other}` }, { type: 'object' }] }]),
        ),
      },
    },
  ]),
)

function listOf(name: string): Entry {
  return { type: 'array', items: { $ref: `#/$defs/${name}` } }
}

const ROUTES = NAMES.flatMap((name) => [
  described('GET', `/${name}s`, [json(200, { ...listOf(name), $defs })]),
  described('GET', `/${name}s/{id}`, [json(200, { $ref: `#/$defs/${name}`, $defs })], {
    parameters: [inPath('id')],
  }),
])

it('items that name and hold others are short, and what they hold of others is theirs', async () => {
  const app = gatewayOf(ROUTES, { seed: 1 })
  const fits = new Ajv2020({ strict: false, formats: { uuid: true } }).compile({ ...listOf('user'), $defs })
  const response = await app.inject('/users')
  const users = response.json<Entry[]>()
  expect(response.body.length).toBeLessThan(64 * 1024)
  expect(users.length).toBeGreaterThan(4)
  expect([fits(users), fits.errors]).toEqual([true, null])

  const held = users.flatMap((user) => NAMES.flatMap((name) => [user[name] ?? [], user[`${name}s`]].flat()))
  const others = (held as Entry[]).filter(({ id }) => id !== undefined)
  expect(others.length).toBeGreaterThan(10)
  for (const { id, kind, text0 } of others.slice(0, 20)) {
    const item = (await app.inject(`/${String(kind)}s/${String(id)}`)).json<Entry>()
    expect(item).toMatchObject({ id, kind, ...(text0 !== undefined && { text0 }) })
  }
  await app.close()
})
