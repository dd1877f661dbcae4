import { expect, it } from 'vitest'
import { createComparison } from '../../../src/recording/drift/compare-value.ts'
import { finding } from '../../../src/recording/drift/finding.ts'
import { nearestForm } from '../../../src/recording/drift/nearest-form.ts'

it('takes the form of the right type that differs least', () => {
  const other = finding('type changed', '/a', 'string', 'object')
  const far = finding('field removed', '/a/x', 'string', 'nothing')
  const near = finding('field added', '/a/y', 'nothing', 'string')
  expect(nearestForm([[other], [far], [near]], {}, '/a')).toEqual([near])
  expect(nearestForm([[other], [far, near], []], {}, '/a')).toEqual([])
  expect(nearestForm([[other]], {}, '/a')).toEqual([other])
})

it('tells null where no form takes it', () => {
  const none = finding('newly null', '', 'string', 'null')
  expect(nearestForm([[none], [none]], null, '')).toMatchObject([
    { change: 'newly null', expected: 'a value' },
  ])
})

it('goes by a constant before all others', () => {
  const form = (kind: string, ...names: string[]): object => ({
    type: 'object',
    properties: {
      kind: { const: kind },
      ...Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    },
    required: ['kind', ...names],
  })
  const compare = createComparison({ oneOf: [form('card', 'last4'), form('bank', 'iban', 'bic', 'owner')] })
  expect(compare({ kind: 'bank', last4: '1' }).map(({ pointer }) => pointer)).toEqual([
    '/iban',
    '/bic',
    '/owner',
    '/last4',
  ])
})
