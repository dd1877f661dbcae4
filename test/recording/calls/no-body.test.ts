import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { awsJson } from '../../../src/recording/protocols/aws-json.ts'
import { sample } from '../inference/samples.ts'

type Called = readonly [name: string, args: object, answer?: { status?: number; response: object }]

const headersOf = (name: string): Record<string, string> => ({ 'x-amz-target': `Bus_1.${name}` })

it('answers calls without a body where the server answered them so, and with an empty object where it did', () => {
  const recorded: readonly Called[] = [
    ['CreateBus', { BusName: 'red', Seats: 4 }],
    ['CreateBus', { BusName: 'blue', Seats: 9 }],
    ['DescribeBus', { BusName: 'red' }, { response: { Bus: { BusName: 'red', Seats: 4 } } }],
    ['DescribeBus', { BusName: 'blue' }, { response: { Bus: { BusName: 'blue', Seats: 9 } } }],
    ['WashBus', { BusName: 'red' }, { response: {} }],
    ['DeleteBus', { BusName: 'blue' }],
  ]
  const samples = recorded.map(([name, body, answer], at) =>
    sample(at, 'POST /', { body, ...answer }, headersOf(name)),
  )
  const model = inferCalls(samples, awsJson)
  if (model === undefined) throw new Error('Nothing was inferred')
  const all = createObjects(model)
  const call = (name: string, body: object): unknown =>
    answerCalls(model, all, { headers: headersOf(name), query: {}, body }, { seed: '', now: 0 })?.body
  expect(call('CreateBus', { BusName: 'green', Seats: 2 })).toBe('')
  expect(call('DescribeBus', { BusName: 'green' })).toEqual({ Bus: { BusName: 'green', Seats: 2 } })
  expect(call('WashBus', { BusName: 'green' })).toEqual({})
  expect(call('DeleteBus', { BusName: 'green' })).toBe('')
})
