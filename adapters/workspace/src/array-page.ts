import type { Visit } from 'sim-gateway/adapter'
import type { Body } from './fields.ts'

const PAGE = 100

/** An object whose long arrays come 100 entries at a time, and whether there are more. */
export interface ArrayPage {
  readonly arrays: Body
  /** Absent on the last page: an empty one makes a client ask forever. */
  readonly next_page_token?: string
}

/** One page of several arrays at once; an array that is shorter than the others is empty on later pages. */
export function pageOfArrays(
  { pages }: Pick<Visit<unknown>, 'pages'>,
  arrays: Readonly<Record<string, readonly unknown[] | undefined>>,
  token: string | null,
  parameters: unknown,
): ArrayPage {
  const start = token ? Number(pages.decode(token, { parameters }).position) : 0
  const present = Object.entries(arrays).filter(([, array]) => array !== undefined)
  const longest = Math.max(0, ...present.map(([, array]) => array?.length ?? 0))
  const end = start + PAGE
  return {
    arrays: Object.fromEntries(present.map(([name, array]) => [name, array?.slice(start, end)])),
    ...(end < longest && { next_page_token: pages.encode({ position: end, parameters, revision: 0 }) }),
  }
}
