import type { Selection } from '../engine/route-options.ts'
import { InputInvalid } from '../errors.ts'
import type { Query } from '../message.ts'
import type { createListQuery } from './list-query.ts'
import { plainParameter } from './parameter-template.ts'

/**
 * Refuses a query with a parameter that is none of those of its route, and not called like a field.
 * @throws InputInvalid that names the parameter
 */
export function refuseOthers(
  query: Query,
  isParameter: (name: string) => boolean,
  isField: (name: string) => boolean,
): void {
  const other = Object.keys(query).find((name) => !isParameter(name) && !isField(name))
  if (other === undefined) return
  const msg = 'No item has such a field'
  throw new InputInvalid([{ type: 'extra_forbidden', loc: ['query', other], msg, input: query[other] }])
}

/**
 * Refuses a query that would sort or choose by a field which no item has.
 * @param read what reads the query, as the selection says
 * @throws InputInvalid that names the parameter, and the field as its input
 */
export function refuseUnknown(
  query: Query,
  { sort }: Selection,
  isField: (name: string) => boolean,
  read: ReturnType<typeof createListQuery>,
): void {
  for (const name of Object.keys(query)) {
    const own = { [name]: query[name] ?? '' }
    if (read(own, isField).terms.length > 0) continue
    const { terms, order } = read(own, () => true)
    const [before = '', after] = sort?.split('{') ?? []
    const isOrder = after === undefined ? plainParameter(name) === before : name.startsWith(before)
    // What is called like a field may be any other parameter, such as one of pages.
    const compared = terms.filter(({ field }) => field !== name)
    const input = [...compared, ...(isOrder ? order : [])].find(({ field }) => !isField(field))?.field
    const [parameter = name] = name.split('[')
    if (input !== undefined)
      throw new InputInvalid([
        { type: 'unknown_field', loc: ['query', parameter], msg: 'No item has such a field', input },
      ])
  }
}
