import { readExpression, readOperand } from '../../../collections/filter-expression.ts'
import { splitOutside } from './service.ts'

/** What the query of a request, or of an expanded property, says. */
export interface QueryOptions {
  readonly filter?: ((read: ReadField) => boolean) | undefined
  /** The names that it speaks of, without what is within lists. */
  readonly names: readonly string[]
  readonly order: readonly { readonly of: (read: ReadField) => unknown; readonly isTurned: boolean }[]
  readonly top?: number | undefined
  readonly skip: number
  readonly select?: readonly string[] | undefined
  readonly expand: readonly Expanded[]
  readonly hasCount: boolean
  readonly search?: string | undefined
  /** What a page begins after. */
  readonly token?: string | undefined
}

/** What is said where nothing is. */
export const NO_OPTIONS: QueryOptions = { names: [], order: [], skip: 0, expand: [], hasCount: false }

type ReadField = (field: string) => unknown

/** A property to be expanded. */
export interface Expanded {
  readonly name: string
  readonly options: QueryOptions
  /** What stands in brackets after the name. */
  readonly text: string
}

/** What in a query cannot be read. */
export interface Unreadable {
  readonly option: string
  readonly text: string
}

type Texts = Readonly<Record<string, unknown>>

const KNOWN =
  /^\$?(filter|orderby|top|skip|select|expand|count|search|skiptoken|format|levels|schemaversion|inlinecount)$/i

/** Reads system query options, with or without their dollar signs. */
export function readOptions(query: Texts): QueryOptions | Unreadable {
  const given = new Map<string, string>()
  for (const [name, value] of Object.entries(query)) {
    if (!KNOWN.test(name)) {
      if (name.startsWith('$')) return { option: name, text: String(value) }
      continue
    }
    given.set(name.replace('$', '').toLowerCase(), String([value].flat()[0]))
  }
  const filter = given.get('filter')
  const expression = filter === undefined ? undefined : readExpression(filter)
  const passes = expression?.passes
  if (filter !== undefined && passes === undefined) return { option: '$filter', text: filter }
  const order = splitOutside(given.get('orderby') ?? '', ',').map((text) => {
    const [end = '', turn] = /(?<!\s)\s+(asc|desc)$/i.exec(text) ?? []
    return {
      of: readOperand(text.slice(0, text.length - end.length)),
      isTurned: turn?.toLowerCase() === 'desc',
    }
  })
  const ordered = order.flatMap(({ of, isTurned }) => (of === undefined ? [] : [{ of, isTurned }]))
  if (ordered.length < order.length) return { option: '$orderby', text: given.get('orderby') ?? '' }
  const numbers = ['top', 'skip'].map((name) => ({ name, text: given.get(name) }))
  const wrong = numbers.find(({ text }) => text !== undefined && !/^\d{1,15}$/.test(text))
  if (wrong !== undefined) return { option: `$${wrong.name}`, text: wrong.text ?? '' }
  const [top, skip] = numbers.map(({ text }) => (text === undefined ? undefined : Number(text)))
  const expand: Expanded[] = []
  for (const part of splitOutside(given.get('expand') ?? '', ',')) {
    const [, name = '', text = ''] = /^([^()]+)(?:\((.*)\))?$/s.exec(part) ?? []
    const options = readOptions(Object.fromEntries(splitOutside(text, ';').map(pairOf)))
    if ('option' in options) return options
    expand.push({ name: name.trimEnd(), options, text })
  }
  const select = given.get('select')
  const names = [
    ...(expression?.fields ?? []),
    ...splitOutside(select ?? '', ','),
    ...expand.map(({ name }) => name),
  ]
  return {
    names: names.map((name) => name.split(/[./]/)[0] ?? ''),
    ...{ filter: passes, order: ordered, top, skip: skip ?? 0, expand },
    select: select === undefined ? undefined : splitOutside(select, ','),
    hasCount: given.get('count') === 'true',
    search: given.get('search'),
    token: given.get('skiptoken'),
  }
}

function pairOf(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at).trim(), text.slice(at + 1)]
}
