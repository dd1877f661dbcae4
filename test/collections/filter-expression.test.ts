import { describe, expect, it } from 'vitest'
import { readExpression, readOperand } from '../../src/collections/filter-expression.ts'

const RAVEN: Readonly<Record<string, unknown>> = {
  ...{ title: 'The Raven', stock: 333, price: 13.13, sold: null, tags: ['poem', 'old'] },
  ...{ 'author.name': "O'Poe", born: '1809-01-19', isNew: false, contains: true },
  sales: [
    { count: 5, to: 'Bo' },
    { count: 3, to: 'Al' },
  ],
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
    ['price mul 2 sub 1.26 eq 25 and stock mod 2 eq 1', true],
    ['round(price) eq 13 and floor(price add 1) eq 14 and ceiling(price div 2) eq 7', true],
    ["substring(title,4) eq 'Raven' and substring(title,0,3) eq 'The'", true],
    ['sales/any() and not none/any()', true],
    ["sales/any(s: s/count gt 4 and s/to eq 'Bo')", true],
    ['sales/any(s:s/count gt 4 and stock lt 5)', false],
    ['sales/all(s:s/count ge 3)', true],
    ['sales/all(s:s/count gt 3) or none/any(n:n/count gt 0)', false],
    ["tags/any(t:t eq 'poem')", true],
  ] as const)('%s is %s', ([text, expected]) => {
    expect(passes(text)).toBe(expected)
  })

  it.for([
    ...['', ' ', 'stock eq', 'eq 5', "title eq 'x", 'stock eq 5 and', '(stock eq 5', 'stock eq 5)', 'a b c'],
    ...['sales/any(s:)', 'sales/any(count gt 4)', 'sales/all()', 'sales/any(s:s/count gt 4', 'stock add'],
    ...['not', 'stock in 5', "contains(title,'x'", 'constructor(1)', '(('.repeat(5000), 'a eq 1;b'],
  ])('is not %s', (text) => {
    expect(readExpression(text)).toBeUndefined()
  })

  it('has operands of their own', () => {
    expect(readOperand('tolower(title)')?.((name) => RAVEN[name])).toBe('the raven')
    expect(readOperand('price mul 2')?.((name) => RAVEN[name])).toBe(26.26)
    expect(readOperand('price gt 2')).toBeUndefined()
  })

  it('says of which fields it speaks', () => {
    expect(readExpression('sales/any(s:s/count gt 4)')?.fields).toEqual(['sales'])
    expect(readExpression("contains(author/name,'x') and stock gt 5")?.fields).toEqual([
      'author.name',
      'stock',
    ])
  })
})
