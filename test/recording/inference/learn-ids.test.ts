import { expect, it } from 'vitest'
import { learnIds } from '../../../src/recording/inference/learn-ids.ts'

it.each([
  ['a number that counts on', [['61', '62', '64']], ['7', '60'], '{61}'],
  ['the first number, where only one was made', [['10']], [], '{10}'],
  ['what only one is drawn of', [['ch_xhOeeGncVVXr0AWuqIrM']], [], 'ch_{mixed 20}'],
  ['what only one in hexadecimal is drawn of', [['65f0c1d2e3a4b5c6d7e8f901']], [], '{hex 24}'],
  ['a number of so many digits', [['ord_000061', 'ord_000062']], ['ord_000003'], 'ord_{000061}'],
  ['a number right after letters', [['T9', 'T10', 'T11']], [], 'T{9}'],
  ['drawn signs of a single id', [['61oMorkNGz']], [], '{mixed 10}'],
  ['drawn signs', [['cus_4f3a9c', 'cus_00ab1e']], [], 'cus_{hex 6}'],
  ['signs that are drawn in other cases', [['gL6D6KcztkY', 'd-MbpXd_5Us']], [], '{base64url 11}'],
  [
    'what is made where others were given by hand',
    [['gL6D6KcztkY', 'O4eeq4rh8Uk']],
    ['1', '2'],
    '{mixed 11}',
  ],
  [
    'drawn signs of which some have letters in one case alone',
    [['8N2UH6E8CPI', 'JtlcwC0PjwE', 'kEZFGKwY5Ug']],
    ['1', '2'],
    '{mixed 11}',
  ],
  ['letters alone that are drawn', [['plan_VsPoXpkBQCiiRh', 'plan_fEllRUFlIzZqVU']], [], 'plan_{mixed 14}'],
  ['letters alone of a single id', [['cus_UwThmZEBiKdiBs']], [], 'cus_{mixed 14}'],
  ['words that come again', [['red-4', 'blue-5', 'red-6']], ['blue-1'], '{blue|red}-{4}'],
])('finds %s', (_what, made, others, template) => {
  expect(learnIds(made, others)).toBe(template)
})

it.each([
  ['whole numbers from 1', [['1', '2']], []],
  ['words of several parts', [['OrderListItem', 'CreatedByHand']], []],
  ['one word', [['international-order']], []],
  ['one name with a number', [['Northampton2024']], []],
  ['numbers that come again', [['4', '5', '4']], ['3']],
  ['numbers that are given anew in each collection', [['4', '5'], ['7']], []],
  ['UUIDs', [['6f1b7e1e-6a0f-4c3e-9d5e-0a8b8c9d0e1f', '7f1b7e1e-6a0f-4c3e-9d5e-0a8b8c9d0e1f']], []],
  ['words alone, which requests may have said', [['my-first', 'my-other', 'my-first']], []],
  ['ids of several forms', [['a-1', 'a-b-2']], []],
])('finds nothing in %s', (_what, made, others) => {
  expect(learnIds(made, others)).toBeUndefined()
})
