/** A field to sort by. */
export interface Order {
  readonly field: string
  readonly isDescending: boolean
}

const DESCENDING = /^(desc(ending)?|-1|-)$/i
const DIRECTION = /^(asc(ending)?|desc(ending)?)$/i

/** Whether a word says that the greatest come first. */
export function isDescending(text: string): boolean {
  return DESCENDING.test(text)
}

/** Whether a word says no more than in which direction a list is sorted. */
export function isDirection(text: string): boolean {
  return DIRECTION.test(text)
}

/** What is sorted by: `-views`, `views desc`, `views:desc`, `views,desc` and `["views","DESC"]` say the same. */
export function ordersOf(texts: readonly string[], order: string | undefined): readonly Order[] {
  const turns = order?.split(',') ?? []
  const orders: Order[] = []
  for (const token of namesIn(texts)) {
    const before = orders.at(-1)
    if (isDirection(token) && before !== undefined) {
      orders[orders.length - 1] = { ...before, isDescending: isDescending(token) }
      continue
    }
    const [, sign, field = '', turn = ''] =
      /^([-+!]?)(.*?)(?:(?<![\s:.|])[\s:.|]+(asc(?:ending)?|desc(?:ending)?|-1|1))?$/i.exec(token) ?? []
    const isTurned = isDescending(turns[orders.length] ?? turns[0] ?? '')
    orders.push({ field, isDescending: (sign === '-' || isDescending(turn)) !== isTurned })
  }
  return orders
}

/** Names in texts, between commas or as a JSON list. */
export function namesIn(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((text) => text.replaceAll(/^\[|\]$|"/g, '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
