import { createListQuery } from '../../collections/list-query.ts'
import type { Operator, Selection } from '../../engine/route-options.ts'

/** Words for operators in the names of parameters; those of one row are known to those who know one of them. */
const WORDS: readonly Readonly<Record<string, Operator>>[] = [
  { ne: 'ne', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte', like: 'like', in: 'in' },
  {
    ...{ contains: 'like', icontains: 'like', ilike: 'like', startswith: 'starts', endswith: 'ends' },
    ...{ gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte', in: 'in' },
  },
  { eq: 'eq', ne: 'ne', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte', in: 'in', nin: 'nin' },
  {
    ...{ eq: 'eq', ne: 'ne', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte', in: 'in', notin: 'nin' },
    ...{ cont: 'like', starts: 'starts', ends: 'ends', between: 'between' },
  },
  {
    ...{ eq: 'eq', ne: 'ne', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte', in: 'in', notIn: 'nin' },
    ...{ contains: 'like', containsi: 'like', startsWith: 'starts', endsWith: 'ends' },
    ...{ startsWithi: 'starts', endsWithi: 'ends', between: 'between' },
  },
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

type Comparisons = NonNullable<Selection['compare']>

/** How a field is compared, by the template of the parameter that says so. */
type Compared = readonly [template: string, operator: Operator]

/** How the parameters of queries compare, where that is right of all that were answered. */
export function comparisonsOf(
  parameters: readonly { readonly name: string; readonly values: readonly string[] }[],
  isRight: (compare: Comparisons) => boolean,
): Comparisons {
  const comparing = (own: readonly Compared[], known: Comparisons): Comparisons =>
    Object.fromEntries(
      own.filter(([template, operator]) => isRight({ ...known, [template]: operator })).flatMap(siblingsOf),
    )
  const frames = parameters.flatMap(({ name, values }) => framesOf(name, values))
  const ofValues = parameters.flatMap(({ name, values }) => valueFramesOf(name, values))
  // A name that takes a value alone takes one with a sign before it, too, which says more.
  const byValue = comparing(
    frames.filter(([template]) => template.includes('=')),
    {},
  )
  const byName = comparing(
    frames.filter(([template]) => !template.includes('=')),
    byValue,
  )
  return { ...comparing(ofValues, {}), ...byValue, ...byName }
}

/** The templates that may have made the name of a parameter, and its values. */
function framesOf(name: string, values: readonly string[]): readonly Compared[] {
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

/** Likewise of a parameter that says which field it is and how that is compared, which may have made some of its values. */
function valueFramesOf(name: string, values: readonly string[]): readonly Compared[] {
  const templates = values.flatMap((value) => {
    const [, sign = '', word] = SAID.exec(value) ?? []
    return word === undefined ? [] : [`${name}={field}${sign}${word}${sign}{value}`]
  })
  return [...new Set(templates)].flatMap((template): readonly Compared[] => {
    const { word = '' } = wordOf(template) ?? {}
    const row = WORDS.find((each) => Object.hasOwn(each, word))
    const operator = row?.[word]
    return operator === undefined ? [] : [[template, operator]]
  })
}

/** A field, an operator and what it is compared with, and signs between them. */
const SAID = /^[\w.-]+?(\|\||::|[|:~;, ])(\$?[a-z]+)\1/i

function wordOf(
  template: string,
): { readonly word: string; readonly of: (word: string) => string } | undefined {
  const [, before, word, after] = /^(.*=\{field\}\W+)(\w+)(\W+\{value\})$/.exec(template) ?? []
  return word === undefined ? undefined : { word, of: (other) => `${before ?? ''}${other}${after ?? ''}` }
}

function rowsOf(frame: string): typeof WORDS {
  return frame.includes('{op}{value}') ? [SIGNS] : WORDS
}

function matches(template: string, name: string, values: readonly string[]): boolean {
  const read = createListQuery({ compare: { [template]: 'eq' } })
  return values.length > 0 && values.every((value) => read({ [name]: value }, () => true).terms.length > 0)
}

/** Who compares by one word of a kind does so by its others. */
function siblingsOf([template, operator]: Compared): readonly Compared[] {
  const own = FRAMES.flatMap((frame) =>
    rowsOf(frame).flatMap((row) =>
      Object.keys(row).some((word) => frame.includes('{op}') && frame.replace('{op}', word) === template)
        ? [{ frame, row }]
        : [],
    ),
  )
  const ofValue = wordOf(template)
  const alike = WORDS.find((row) => ofValue !== undefined && row[ofValue.word] === operator)
  if (ofValue !== undefined && alike !== undefined)
    return Object.entries(alike).map(([word, each]): Compared => [ofValue.of(word), each])
  const [found] = own
  if (found === undefined) return [[template, operator]]
  return Object.entries(found.row).map(([word, each]): Compared => [found.frame.replace('{op}', word), each])
}
