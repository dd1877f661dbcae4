import type { FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import type { Schema } from '../../../../src/engine/schema/schema.ts'
import { described, inPath, json, statefulGatewayOf } from '../describing.ts'

const open: FastifyInstance[] = []
afterEach(async () => {
  for (const app of open.splice(0)) await app.close()
})

const objectOf = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const text = { type: 'string' }
const Account = objectOf({ id: { type: 'string', format: 'uuid' }, name: text, bank: text })
const one = objectOf({ status: text, data: objectOf({ account: Account, version: { type: 'integer' } }) })
const many = objectOf({
  data: objectOf({ accounts: { type: 'array', items: Account }, version: { type: 'integer' } }),
})
const id = { parameters: [inPath('account_id', text)] }
const takes = objectOf({ account: { type: 'object', properties: { name: text, bank: text } } })

interface Answer {
  readonly status: string
  readonly data: {
    readonly account: { readonly id: string; readonly name: string; readonly bank: string }
    readonly version: number
  }
}

it('stores and shows items that an envelope wraps twice', async () => {
  const app = statefulGatewayOf(
    [
      described('GET', '/accounts', [json(200, many)]),
      described('POST', '/accounts', [json(201, one)], { takes }),
      described('GET', '/accounts/{account_id}', [json(200, one)], id),
      described('PUT', '/accounts/{account_id}', [json(200, one)], { ...id, takes }),
    ],
    { stateful: true },
  )
  open.push(app)
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, account?: object): Promise<Answer> =>
    (await app.inject({ method, url, ...(account && { payload: { account } }) })).json<Answer>()

  const { data: made, status } = await ask('POST', '/accounts', { name: 'Ada', bank: 'Lloyds' })
  expect(made.account).toMatchObject({ name: 'Ada', bank: 'Lloyds' })
  expect([typeof status, typeof made.version]).toEqual(['string', 'number'])
  const url = `/accounts/${made.account.id}`
  expect((await ask('GET', url)).data.account).toEqual(made.account)
  const changed = { ...made.account, name: 'Bob' }
  expect((await ask('PUT', url, { name: 'Bob', bank: 'Lloyds' })).data.account).toEqual(changed)
  const listed = (await app.inject('/accounts')).json<{ data: { accounts: { id: string }[] } }>()
  expect(listed.data.accounts).toContainEqual(changed)
  const [first] = listed.data.accounts
  expect((await ask('GET', `/accounts/${first?.id}`)).data.account).toEqual(first)
})
