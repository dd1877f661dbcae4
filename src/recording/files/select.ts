import { createGlob, createTextGlob } from '../../routing/glob.ts'
import { type Exchange, headerValues } from '../exchange.ts'

/** Which exchanges of a recording are meant; without a condition, all of them. */
export interface Selection {
  /** Globs over host and port, or over the host alone. */
  readonly hosts?: readonly string[] | undefined
  /** Globs over the path, such as `/orders/**`; a text without a slash at its beginning is one that paths contain. */
  readonly paths?: readonly string[] | undefined
  readonly methods?: readonly string[] | undefined
  /** Statuses such as `404`, `5xx` or `400-499`. */
  readonly statuses?: readonly string[] | undefined
  /** The first and the last moment at which a request began. */
  readonly since?: Date | undefined
  readonly until?: Date | undefined
  /** Globs over what `sessionOf` says. */
  readonly sessions?: readonly string[] | undefined
}

/** Whether an exchange is meant. */
export type Select = (exchange: Exchange) => boolean

/** Compiles a selection. An exchange fits if it fits one of the values of each condition that is given. */
export function createSelect(selection: Selection): Select {
  const { hosts = [], paths = [], methods = [], statuses = [], since, until, sessions = [] } = selection
  const conditions: Select[] = []
  const add = <Value>(values: readonly Value[], fits: (value: Value) => Select): void => {
    const each = values.map(fits)
    if (each.length > 0) conditions.push((exchange) => each.some((holds) => holds(exchange)))
  }
  add(hosts, (host) => {
    const fits = createTextGlob(host.toLowerCase())
    return ({ request }) => {
      const url = new URL(request.url)
      return fits(url.host) || fits(url.hostname)
    }
  })
  add(paths, (path) => {
    const fits = path.startsWith('/') ? createGlob(path) : (text: string) => text.includes(path)
    return ({ request }) => fits(new URL(request.url).pathname)
  })
  add(methods, (method) => (exchange) => exchange.request.method === method.toUpperCase())
  add(statuses, (status) => {
    const { from, to } = statusRange(status) ?? { from: NaN, to: NaN }
    return ({ response }) => response.status >= from && response.status <= to
  })
  add(sessions, (session) => {
    const fits = createTextGlob(session)
    return (exchange) => fits(sessionOf(exchange) ?? '')
  })
  add(since === undefined ? [] : [since], (from) => (exchange) => new Date(exchange.startedDateTime) >= from)
  add(until === undefined ? [] : [until], (to) => (exchange) => new Date(exchange.startedDateTime) <= to)
  return (exchange) => conditions.every((holds) => holds(exchange))
}

/** The statuses that `404`, `5xx` or `400-499` stand for. */
export function statusRange(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, first, from, to] = /^(?:([1-5])xx|([1-5]\d\d)(?:-([1-5]\d\d))?)$/i.exec(text) ?? []
  if (first !== undefined) return { from: Number(first) * 100, to: Number(first) * 100 + 99 }
  return from === undefined ? undefined : { from: Number(from), to: Number(to ?? from) }
}

const NAMED = ['x-sim-session', 'authorization', 'cookie']

/** Whose request it was: the session that it names, or else the pseudonyms of its credentials; `undefined` without any. */
export function sessionOf({ request }: Exchange): string | undefined {
  for (const wanted of NAMED) {
    const [found = ''] = headerValues(request.headers, wanted)
    if (found !== '') return found
  }
  return undefined
}
