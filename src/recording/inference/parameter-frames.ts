import { createListQuery } from '../../collections/list-query.ts'
import type { Operator } from '../../engine/route-options.ts'

/** Words for operators in the names of parameters; those of one row are known to those who know one of them. */
const WORDS: readonly Readonly<Record<string, Operator>>[] = [
  { ne: 'ne', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte', like: 'like', in: 'in' },
  {
    ...{ contains: 'like', icontains: 'like', ilike: 'like', startswith: 'starts', endswith: 'ends' },
    ...{ gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte', in: 'in' },
  },
  { eq: 'eq', ne: 'ne', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte', in: 'in', nin: 'nin' },
  { neq: 'ne', ge: 'gte', le: 'lte' },
  { min: 'gte', max: 'lte' },
  { from: 'gte', to: 'lte' },
  { after: 'gt', before: 'lt' },
  { since: 'gte', until: 'lte' },
]
/** Signs for operators before values; those that others begin with come last. */
const SIGNS: Readonly<Record<string, Operator>> = {
  '>=': 'gte',
  '<=': 'lte',
  '!=': 'ne',
  '>': 'gt',
  '<': 'lt',
}

/** How names hold a field and an operator. */
const FRAMES = [
  ...['{field}__{op}', '{field}_{op}', '{field}[${op}]', '{field}[{op}]', '{field}.{op}', '{field}:{op}'],
  ...['filters[{field}][${op}]', 'filter[{field}][{op}]', 'filters[{field}][{op}]', 'where[{field}][{op}]'],
  ...[
    '{op}_{field}',
    '{op}{Field}',
    '{field}={op}.{value}',
    '{field}={op}:{value}',
    'filter[{field}]',
    'filters[{field}]',
  ],
  ...['{field}={op}{value}', 'filter[{field}]={op}{value}', 'filters[{field}]={op}{value}'],
]

/** How a field is compared, by the template of the parameter that says so. */
export type Compared = readonly [template: string, operator: Operator]

/** The templates that may have made the name of a parameter, and its values. */
export function framesOf(name: string, values: readonly string[]): readonly Compared[] {
  return FRAMES.flatMap((frame): Compared[] => {
    if (!frame.includes('{op}')) return matches(frame, name, values) ? [[frame, 'eq']] : []
    return rowsOf(frame).flatMap((row) =>
      Object.entries(row).flatMap(([word, operator]): Compared[] => {
        const template = frame.replace('{op}', word)
        return matches(template, name, values) ? [[template, operator]] : []
      }),
    )
  })
}

function rowsOf(frame: string): typeof WORDS {
  return frame.includes('{op}{value}') ? [SIGNS] : WORDS
}

function matches(template: string, name: string, values: readonly string[]): boolean {
  const read = createListQuery({ compare: { [template]: 'eq' } })
  return values.length > 0 && values.every((value) => read({ [name]: value }, () => true).terms.length > 0)
}

/** Who compares by one word of a kind does so by its others. */
export function siblingsOf([template, operator]: Compared): readonly Compared[] {
  const own = FRAMES.flatMap((frame) =>
    rowsOf(frame).flatMap((row) =>
      Object.keys(row).some((word) => frame.includes('{op}') && frame.replace('{op}', word) === template)
        ? [{ frame, row }]
        : [],
    ),
  )
  const [found] = own
  if (found === undefined) return [[template, operator]]
  return Object.entries(found.row).map(([word, each]): Compared => [found.frame.replace('{op}', word), each])
}
