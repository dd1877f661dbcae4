import type { Around } from './json-descriptions.ts'
import type { NameKind } from './names.ts'

/** An object or list of JSON, and how many commas have come in it. */
export interface Cells extends Around {
  /** A list directly in a list. */
  readonly isRow: boolean
  column: number
}

const COLUMNS = /^"(?:columns|cols|fields|headers?)"$/i
const ROWS = /^"(?:rows|values|data|data_array|datarows|records|results?)"$/i

/** What the columns are called that a result of a query lists before its rows, and so what the cells of these hold. */
export interface Columns {
  /** Notes a text, which may name a column. */
  note(around: Cells, token: string): void
  /** What the column says of the cell that is being read. */
  kindIn(around: Cells): NameKind
}

/** Ends of names of members, one of which lists the columns. */
const ENDS = ['olumns"', 'cols"', 'ields"', 'eaders"', 'eader"']

/**
 * The columns of a JSON text; `undefined` where it lists none.
 * @param kindOf what the name of a column says, quotes included
 */
export function columnsIn(text: string, kindOf: (token: string) => NameKind): Columns | undefined {
  if (!ENDS.some((end) => text.includes(end))) return undefined
  let kinds: NameKind[] = []
  let list: object | undefined
  return {
    note(around, token) {
      if (!COLUMNS.test(around.of) || (around.isObject && around.member !== '"name"')) return
      // Each list begins with its first text, and what is in objects of it goes on.
      if (!around.isObject && list !== around) kinds = []
      if (!around.isObject) list = around
      kinds.push(kindOf(token))
    },
    kindIn: (around) =>
      around.isRow && ROWS.test(around.of) ? (kinds[around.column] ?? 'harmless') : 'harmless',
  }
}
