import type { Query } from '../message.ts'
import type { ReadText } from './schema/coerce.ts'
import { setEntry, type Entries } from './schema/schema.ts'

/** Reads a query string (WHATWG URL, application/x-www-form-urlencoded); malformed escapes stand for themselves. */
export function parseQuery(search: string): Query {
  const query: Record<string, string | string[]> = {}
  // Without escapes there is nothing to decode.
  if (/[%+]/.test(search)) for (const [name, value] of new URLSearchParams(search)) add(query, name, value)
  else if (search !== '') readPlain(query, search)
  return query
}

function readPlain(query: Record<string, string | string[]>, search: string): void {
  for (const pair of search.split('&')) {
    const mark = pair.indexOf('=')
    if (mark >= 0) add(query, pair.slice(0, mark), pair.slice(mark + 1))
    else if (pair !== '') add(query, pair, '')
  }
}

function add(query: Record<string, string | string[]>, name: string, value: string): void {
  const known = Object.hasOwn(query, name) ? query[name] : undefined
  if (known === undefined) setEntry(query, name, value)
  else if (typeof known === 'string') setEntry(query, name, [known, value])
  else known.push(value)
}

/** How the texts of a model's fields are read. */
export interface TextReaders {
  readonly declared: ReadonlyMap<string, ReadText>
  /** How to read a field that the model does not name. */
  readonly other: (name: string) => ReadText
}

/** Makes the reader of a route's queries: each field as its schema asks for, before validation. */
export function createQueryReader({ declared, other }: TextReaders): (search: string) => Entries {
  const fields = new Map([...declared].map(([name, read]) => [name, { name, read }] as const))

  // Most queries give some declared fields, once each, in plain letters.
  const readPlain = (search: string): Entries | undefined => {
    const input: Entries = {}
    const { length } = search
    let start = 0
    let mark = -1
    for (let index = 0; index <= length; index++) {
      const code = index === length ? AMPERSAND : search.charCodeAt(index)
      if (code === PERCENT || code === PLUS) return undefined
      if (code === EQUALS && mark < 0) mark = index
      if (code !== AMPERSAND) continue
      if (mark < 0) return start === length ? input : undefined
      const field = fields.get(search.slice(start, mark))
      if (field === undefined || field.name in input) return undefined
      input[field.name] = field.read(search.slice(mark + 1, index))
      start = index + 1
      mark = -1
    }
    return input
  }
  const readAny = (search: string): Entries => {
    const input: Entries = {}
    const query = parseQuery(search)
    for (const name of Object.keys(query))
      setEntry(input, name, (declared.get(name) ?? other(name))(query[name] ?? ''))
    return input
  }
  return (search) => readPlain(search) ?? readAny(search)
}

const PERCENT = 0x25
const AMPERSAND = 0x26
const PLUS = 0x2b
const EQUALS = 0x3d
