import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { findOperations } from '../../../src/recording/inference/operations.ts'
import { headerCommands } from '../../../src/recording/protocols/header-commands.ts'
import { sample } from '../inference/samples.ts'

const headersOf = (command: string): Record<string, string> => ({ 'x-operation': `Shop.${command}` })
let index = 0
const said = (command: string, body: object, response: object, status = 200) =>
  sample(index++, 'POST /invoke', { body, response, status }, headersOf(command))
const line = (id: number, name: string) => ({ id, name, packed: false })
const NONE = (id: string) => ({ code: 'not_found', message: `No line item '${id}'` })

const RECORDED = [
  said('listLineItems', {}, { items: [line(1, 'Nut')] }),
  said('createLineItem', { name: 'Bolt' }, { item: line(2, 'Bolt') }),
  said('getLineItem', { id: '2' }, { item: line(2, 'Bolt') }),
  said('listLineItems', {}, { items: [line(1, 'Nut'), line(2, 'Bolt')] }),
  said('getLineItem', { id: '9' }, NONE('9'), 400),
  said('deleteLineItem', { id: '2' }, {}),
  said('listLineItems', {}, { items: [line(1, 'Nut')] }),
  said('createLineItem', { name: 'Cog' }, { item: line(2, 'Cog') }),
]

it('distinguishes commands by the header that names them, though all are answered alike, and none by a method', () => {
  const [get, make] = [RECORDED[2], RECORDED[1]] as const
  if (get === undefined || make === undefined) throw new Error('Nothing is recorded')
  expect(findOperations([make, get]).map(({ name }) => name)).toEqual([
    'Shop.createLineItem',
    'Shop.getLineItem',
  ])
  const override = [make, get].map((each, at) => ({
    ...each,
    headers: { 'x-method': ['PUT', 'PATCH'][at] ?? '' },
  }))
  expect(findOperations(override)).toHaveLength(1)
})

it('remembers what commands made and removed, whatever ids were used again', () => {
  const model = inferCalls(RECORDED, headerCommands)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  const call = (command: string, body: object): unknown =>
    answerCalls(model, all, { headers: headersOf(command), query: {}, body }, { seed: '', now: 0 })?.body
  expect(call('createLineItem', { name: 'Gear' })).toEqual({ item: line(2, 'Gear') })
  expect(call('getLineItem', { id: '2' })).toEqual({ item: line(2, 'Gear') })
  expect(call('deleteLineItem', { id: '1' })).toEqual({})
  expect(call('getLineItem', { id: '1' })).toEqual(NONE('1'))
  expect(call('listLineItems', {})).toEqual({ items: [line(2, 'Gear')] })
  expect(call('deleteLineItem', { id: '2' })).toEqual({})
  expect(call('listLineItems', {})).toEqual({ items: [] })
})
