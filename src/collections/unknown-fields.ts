import type { Selection } from '../engine/route-options.ts'
import { InputInvalid } from '../errors.ts'
import type { Query } from '../message.ts'
import type { createListQuery } from './list-query.ts'
import { plainParameter } from './parameter-template.ts'

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
