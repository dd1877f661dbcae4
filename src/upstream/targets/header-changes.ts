import { pairsOf, type FlatHeaders } from '../../http/headers.ts'

/** What is done to headers, in this order. Names are compared without regard to case. */
export interface HeaderChanges {
  /** Names that are taken out. */
  readonly remove?: readonly string[] | undefined
  /** Put in place of all headers of that name. */
  readonly set?: Readonly<Record<string, string>> | undefined
  /** Put beside those that are there. */
  readonly add?: Readonly<Record<string, string>> | undefined
}

/** The `Host` that is put in place of the upstream's own name. */
export function hostIn({ set = {} }: HeaderChanges): string | undefined {
  return Object.entries(set).find(([name]) => name.toLowerCase() === 'host')?.[1]
}

/** Whether the changes say anything of a header. @param wanted in lower case */
export function saysOf({ remove = [], set = {}, add = {} }: HeaderChanges, wanted: string): boolean {
  return [...remove, ...Object.keys(set), ...Object.keys(add)].some((name) => name.toLowerCase() === wanted)
}

/** Headers after the changes. */
export function changeHeaders(flat: FlatHeaders, changes: HeaderChanges): FlatHeaders {
  const { remove = [], set = {}, add = {} } = changes
  const gone = new Set([...remove, ...Object.keys(set)].map((name) => name.toLowerCase()))
  const kept = pairsOf(flat).filter(([name]) => !gone.has(name.toLowerCase()))
  return [...kept, ...Object.entries(set), ...Object.entries(add)].flat()
}
