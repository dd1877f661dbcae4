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
