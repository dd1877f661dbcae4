import { expect, it } from 'vitest'
import { readForm } from '../../src/engine/bracket-names.ts'

it.for([
  ['a=1&b=x+y', { a: '1', b: 'x y' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['meta[tier]=gold&meta[by][name]=ann', { meta: { tier: 'gold', by: { name: 'ann' } } }],
  ['ids[]=4&ids[]=7', { ids: ['4', '7'] }],
  ['items[1][sku]=b&items[0][sku]=a', { items: [{ sku: 'a' }, { sku: 'b' }] }],
  ['a[b=1&[c]=2&d]=3', { 'a[b': '1', '[c]': '2', 'd]': '3' }],
  ['a=1&a[b]=2&a=3', { a: { b: '2' } }],
] as const)('reads the form %s', ([text, fields]) => {
  expect(readForm(text)).toEqual(fields)
})

it('reads long forms in time linear to their length', () => {
  const count = 150_000
  const form = (of: (index: number) => string): Readonly<Record<string, unknown>> =>
    readForm(Array.from({ length: count }, (_, index) => of(index)).join('&'))
  expect(form(() => 'a=1')['a']).toHaveLength(count)
  expect(form(() => 'a[]=1')['a']).toHaveLength(count)
  expect(Object.keys(form((index) => `a${index}[b]=1`))).toHaveLength(count)
})
