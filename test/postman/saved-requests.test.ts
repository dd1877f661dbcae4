import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadApi } from '../../src/loaders/load-target.ts'
import { createClient } from '../../src/testing/index.ts'

interface Saved {
  readonly name: string
  readonly code?: number
  readonly raw?: string
  readonly header?: readonly { readonly key: string; readonly value: string }[]
}

async function answering(
  saved: readonly Saved[],
): Promise<(body: unknown, headers?: object) => Promise<unknown>> {
  const request = { method: 'POST', url: '{{base}}/orders' }
  const response = saved.map(({ name, code = 201, raw, header }) => ({
    ...{ name, code, body: JSON.stringify({ name }) },
    originalRequest: { ...request, header, ...(raw !== undefined && { body: { mode: 'raw', raw } }) },
  }))
  const file = join(mkdtempSync(join(tmpdir(), 'sim-postman-')), 'a.json')
  const info = { name: 'a', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' }
  writeFileSync(file, JSON.stringify({ info, item: [{ name: 'a', request, response }] }))
  const { api } = await loadApi(file, 'served', undefined, { options: { seed: 1 } })
  return async (json, headers = {}) => {
    await using client = createClient(api)
    return ((await (await client.post('/orders', { json, headers: { ...headers } })).json()) as Saved).name
  }
}

it('reads saved bodies of JSON with comments, last commas and variables without a value', async () => {
  const name = await answering([
    { name: 'card', raw: '{ "by": "card", // or PayPal\n "amount": {{amount}}, }' },
    { name: 'transfer', raw: '{ "by": "transfer", /* https://a.test */ "amount": {{amount}} }' },
  ])
  expect([await name({ by: 'transfer', amount: 5 }), await name({ by: 'card', amount: 7 })]).toEqual([
    'transfer',
    'card',
  ])
})

it('chooses by headers where saved requests differ in nothing else, and gives no error for them', async () => {
  const prefer = (value: string): NonNullable<Saved['header']> => [{ key: 'Prefer', value }]
  const name = await answering([
    { name: 'whole', header: prefer('return=representation') },
    { name: 'short', header: prefer('return=minimal') },
    { name: 'wrong', code: 400, header: prefer('return=nothing') },
  ])
  const named = await Promise.all(
    ['minimal', 'representation', 'nothing'].map((each) => name(undefined, { prefer: `return=${each}` })),
  )
  expect(named).toEqual(['short', 'whole', 'whole'])
})

it('compares lists, and what lies within objects', async () => {
  const patch = (op: string, path: string): object[] => [{ op, path, value: { kind: 'home' } }]
  const name = await answering([
    { name: 'added', raw: JSON.stringify(patch('add', '/phones')) },
    { name: 'replaced', raw: JSON.stringify(patch('replace', '/phones/0')) },
  ])
  const other = patch('replace', '/phones/1')
  expect([await name(other), await name(patch('add', '/mails'))]).toEqual(['replaced', 'added'])
})
