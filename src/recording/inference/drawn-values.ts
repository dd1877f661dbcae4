import { groupBy } from '../../grouping.ts'
import { formOfDrawn } from '../../shape/made-values.ts'
import type { Item } from './item-place.ts'

/** An item that a request made, and what it sent of it. */
export interface MadeItem {
  readonly sent: Item
  readonly item: Item
}

/** The short codes that a server drew for items besides their ids, such as the prefix of a customer's invoices. */
export function drawnValues(made: readonly MadeItem[]): readonly string[] {
  const fields = made.flatMap(({ sent, item }) =>
    Object.entries(item).filter(([name]) => !Object.hasOwn(sent, name)),
  )
  return [...groupBy(fields, ([name]) => name).values()].flatMap((own) => {
    const values = own.map(([, value]) => value)
    return formOfDrawn(values) === undefined ? [] : (values as string[])
  })
}
