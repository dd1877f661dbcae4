import { describe, expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { jsonRpc } from '../../../src/recording/protocols/json-rpc.ts'
import { sample } from '../inference/samples.ts'

const account = (id: number, owner: string, currency: string, more: object = {}) => ({
  ...{ id, owner, currency, balance: 0, closed: false, tags: [] as string[] },
  ...more,
})
const error = (code: number, message: string, data?: object) => ({ error: { code, message, data } })

type Said = readonly [method: string, params: unknown, result: unknown]
const RECORDED: readonly Said[] = [
  ['account.open', { owner: 'alice', currency: 'EUR' }, account(1, 'alice', 'EUR')],
  ['account.open', { owner: 'bob', currency: 'USD' }, account(2, 'bob', 'USD')],
  ['account.open', { owner: 'alice', currency: 'USD' }, account(3, 'alice', 'USD')],
  ['account.open', { owner: 'bob', currency: 'USD' }, error(-32002, 'bob already has an account in USD')],
  ['account.get', { id: 2 }, account(2, 'bob', 'USD')],
  ['account.get', { id: 99 }, error(-32001, 'Account 99 does not exist', { id: 99 })],
  ['account.deposit', { id: 1, amount: 100 }, { tx: 1001, balance: 100 }],
  ['account.deposit', { id: 2, amount: 250 }, { tx: 1002, balance: 250 }],
  [
    'account.deposit',
    { id: 1, amount: -1 },
    error(-32602, 'Invalid params', { field: 'amount', reason: 'positive' }),
  ],
  ['account.withdraw', { id: 1, amount: 30 }, { tx: 1003, balance: 70 }],
  [
    'account.withdraw',
    { id: 2, amount: 9000 },
    error(-32003, 'Insufficient funds', { balance: 250, amount: 9000 }),
  ],
  ['account.transfer', { from: 1, to: 2, amount: 25 }, { tx: 1004, from: 45, to: 275 }],
  ['account.balance', [1], 45],
  ['account.get', { id: 2 }, account(2, 'bob', 'USD', { balance: 275 })],
  ['account.tag', { id: 1, tag: 'vip' }, ['vip']],
  [
    'account.list',
    {},
    [
      account(1, 'alice', 'EUR', { balance: 45, tags: ['vip'] }),
      account(2, 'bob', 'USD', { balance: 275 }),
      account(3, 'alice', 'USD'),
    ],
  ],
  ['account.close', { id: 2 }, error(-32004, 'Account is not empty', { balance: 275 })],
  ['account.history', { id: 3 }, []],
  ['account.close', { id: 3 }, true],
  ['account.get', { id: 3 }, account(3, 'alice', 'USD', { closed: true })],
  ['account.remove', [3], null],
  ['account.get', { id: 3 }, error(-32001, 'Account 3 does not exist', { id: 3 })],
  ['account.remove', [3], error(-32001, 'Account 3 does not exist', { id: 3 })],
  ['math.div', [9, 2], 4.5],
]
const bodyOf = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 7, method, params })
const SAMPLES = RECORDED.map(([method, params, said], index) => {
  const result = said !== null && typeof said === 'object' && 'error' in said ? said : { result: said }
  const response = { jsonrpc: '2.0', id: 7, ...result }
  return sample(index, 'POST /', { body: bodyOf(method, params), response })
})

function served(): (method: string, params: unknown) => unknown {
  const model = inferCalls(SAMPLES, jsonRpc)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  return (method, params) => {
    const request = { method: 'POST', path: '/', query: {}, headers: {}, body: bodyOf(method, params) }
    const { body } = answerCalls(model, all, request, { seed: '', now: 0 }) ?? {}
    const { result, error: failed } = (body ?? {}) as { readonly result?: unknown; readonly error?: unknown }
    return failed ?? result
  }
}

/** Two accounts of other people. */
function opened(): (method: string, params: unknown) => unknown {
  const call = served()
  call('account.open', { owner: 'dora', currency: 'GBP' })
  call('account.open', { owner: 'erik', currency: 'GBP' })
  return call
}

describe('calls recorded of a ledger', () => {
  it('add to numbers, and number what was done whichever call it was', () => {
    const call = opened()
    expect(call('account.deposit', { id: 1, amount: 70 })).toEqual({ tx: 1001, balance: 70 })
    expect(call('account.withdraw', { id: 1, amount: 12 })).toEqual({ tx: 1002, balance: 58 })
    expect(call('account.deposit', { id: 2, amount: 5 })).toEqual({ tx: 1003, balance: 5 })
  })

  it('add to a second object what they take from the first', () => {
    const call = opened()
    call('account.deposit', { id: 2, amount: 70 })
    expect(call('account.transfer', { from: 2, to: 1, amount: 30 })).toEqual({ tx: 1002, from: 40, to: 30 })
    expect(call('account.get', { id: 1 })).toMatchObject({ owner: 'dora', balance: 30 })
  })

  it('are refused where there is less than they take, or what they add is out of bounds, and number nothing then', () => {
    const call = opened()
    const taken = call('account.withdraw', { id: 1, amount: 8 })
    expect(taken).toEqual({ code: -32003, message: 'Insufficient funds', data: { balance: 0, amount: 8 } })
    expect(call('account.deposit', { id: 1, amount: -3 })).toMatchObject({ code: -32602 })
    expect(call('account.deposit', { id: 1, amount: 3 })).toEqual({ tx: 1001, balance: 3 })
  })

  it('number nothing in a batch of which one call is not known', () => {
    const model = inferCalls(SAMPLES, jsonRpc)
    const all = model && createObjects(model)
    if (model === undefined || all === undefined) throw new Error('Nothing was inferred')
    const ask = (body: unknown): unknown =>
      answerCalls(
        model,
        all,
        { method: 'POST', path: '/', query: {}, headers: {}, body },
        { seed: '', now: 0 },
      )?.body
    ask(bodyOf('account.open', { owner: 'dora', currency: 'GBP' }))
    const deposit = bodyOf('account.deposit', { id: 1, amount: 4 })
    expect(ask([deposit, bodyOf('math.div', [8, 1])])).toBeUndefined()
    expect(ask(deposit)).toMatchObject({ result: { tx: 1001, balance: 4 } })
  })

  it('show a member alone that they are named after, and the list that they add to', () => {
    const call = opened()
    call('account.deposit', { id: 2, amount: 9 })
    expect(call('account.balance', [2])).toBe(9)
    expect(call('account.balance', [55])).toMatchObject({
      code: -32001,
      message: 'Account 55 does not exist',
    })
    call('account.tag', { id: 2, tag: 'late' })
    expect(call('account.tag', { id: 2, tag: 'new' })).toEqual(['late', 'new'])
    expect(call('account.get', { id: 2 })).toMatchObject({ tags: ['late', 'new'] })
  })

  it('close what is empty, and are refused by what is not, with what it holds now', () => {
    const call = opened()
    call('account.deposit', { id: 1, amount: 6 })
    expect(call('account.close', { id: 1 })).toMatchObject({ code: -32004, data: { balance: 6 } })
    expect(call('account.close', { id: 2 })).toBe(true)
    expect(call('account.get', { id: 2 })).toMatchObject({ closed: true })
  })

  it('make nothing twice that has two members alike', () => {
    const call = opened()
    const again = call('account.open', { owner: 'erik', currency: 'GBP' })
    expect(again).toEqual({ code: -32002, message: 'erik already has an account in GBP' })
    expect(call('account.open', { owner: 'erik', currency: 'EUR' })).toMatchObject({ owner: 'erik' })
  })

  it('remove with null for a result, and fail for what is not there', () => {
    const call = opened()
    expect(call('account.remove', [2])).toBeNull()
    expect(call('account.remove', [2])).toMatchObject({ message: 'Account 2 does not exist' })
    expect(call('account.get', { id: 2 })).toMatchObject({ code: -32001 })
  })

  it('have nothing to do with objects whose ids they are given by chance', () => {
    expect(served()('math.div', [12, 1])).toBeUndefined()
  })
})
