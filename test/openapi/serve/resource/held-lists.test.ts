import { expect, it } from 'vitest'
import type { Schema } from '../../../../src/engine/schema/schema.ts'
import { described, gatewayOf, inPath, json } from '../describing.ts'

interface Partner {
  readonly id: number
  readonly emails: readonly string[]
  readonly phones: readonly { readonly number: string }[]
}

const text = { type: 'string' }
const Partner = {
  type: 'object',
  title: 'Partner',
  required: ['id', 'emails', 'phones'],
  properties: {
    id: { type: 'integer' },
    emails: { type: 'array', items: text, minItems: 1 },
    phones: { type: 'array', items: { type: 'object', properties: { number: text } }, minItems: 1 },
  },
}
const Order = {
  type: 'object',
  required: ['id', 'partner'],
  properties: { id: { type: 'integer' }, partner: Partner },
}
const resource = (name: string, item: Schema) => [
  described('GET', `/${name}`, [json(200, { type: 'array', items: item })]),
  described('GET', `/${name}/{id}`, [json(200, item)], {
    parameters: [inPath('id', { type: 'integer' })],
  }),
]

it('items within others have the same lists of plain values as at their own path', async () => {
  const app = gatewayOf([...resource('partners', Partner), ...resource('orders', Order)])
  const orders = (await app.inject('/orders')).json<{ partner: Partner }[]>()
  for (const { partner } of orders)
    expect((await app.inject(`/partners/${partner.id}`)).json<Partner>()).toEqual(partner)
  await app.close()
})
