import { describe, expect, it } from 'vitest'
import { readExpression } from '../../src/collections/filter-expression.ts'

const RAVEN: Readonly<Record<string, unknown>> = {
  ...{ title: 'The Raven', stock: 333, price: 13.13, sold: null, tags: ['poem', 'old'] },
  ...{ 'author.name': "O'Poe", born: '1809-01-19', isNew: false, contains: true },
}
const passes = (text: string): boolean | undefined => readExpression(text)?.passes((name) => RAVEN[name])

describe('a filter expression', () => {
  it.for([
    ['stock eq 333', true],
    ['stock ne 333', false],
    ['stock gt 332.5 and stock le 333', true],
    ['stock lt 10 or price ge 13', true],
    ["stock lt 10 or price ge 13 and title eq 'x'", false],
    ["(stock lt 400 or price ge 13) and title eq 'The Raven'", true],
    ["not (title eq 'x') and not contains(title,'x')", true],
    ["contains(title,'Rav') and startswith(title,'The') and endswith(title,'ven')", true],
    ["contains(tolower(title),'raven')", true],
    ["substringof('Raven',title) eq true", true],
    ['length(title) eq 9', true],
    ["concat(title,'!') eq 'The Raven!'", true],
    ["indexof(title,'Raven') eq 4", true],
    ['year(born) eq 1809 and month(born) eq 1 and day(born) eq 19', true],
    ['born lt 1900-01-01', true],
    ["author/name eq 'O''Poe'", true],
    ["title in ('x','The Raven')", true],
    ['stock in (1, 2)', false],
    ['sold eq null', true],
    ['sold gt 0 or sold le 0', false],
    ['unknown eq null', true],
    ['isNew eq false', true],
    ['isNew', false],
    ['contains', true],
    ['title sw "The" and title co "Rav" and title ew "ven"', true],
    ['title pr and not (sold pr)', true],
    ['tags eq "poem"', true],
    ['tags EQ "new"', false],
  ] as const)('%s is %s', ([text, expected]) => {
    expect(passes(text)).toBe(expected)
  })

  it.for([
    ...['', ' ', 'stock eq', 'eq 5', "title eq 'x", 'stock eq 5 and', '(stock eq 5', 'stock eq 5)', 'a b c'],
    ...['not', 'stock in 5', "contains(title,'x'", 'constructor(1)', '(('.repeat(5000), 'a eq 1;b'],
  ])('is not %s', (text) => {
    expect(readExpression(text)).toBeUndefined()
  })

  it('says of which fields it speaks', () => {
    expect(readExpression("contains(author/name,'x') and stock gt 5")?.fields).toEqual([
      'author.name',
      'stock',
    ])
  })
})
