import { UNANSWERED } from '../exchange.ts'
import { isSafe } from '../../message.ts'

/** A request that changed something. */
export interface Write {
  /** The resources it changed: that of its URL, and the one that its answer names. */
  readonly resources: readonly string[]
  /** Whether it replaced or deleted what was there, in place of adding to it. */
  readonly replaces: boolean
}

/** Where in a recording the last write was on a resource, on what is below it, and on what is above it; -1 for none. */
export interface LastWrites {
  readonly own: number
  readonly below: number
  readonly above: number
}

/** Places of writes by key: of a recording as it is read, or of those that a session has made again. */
export interface Places {
  get(key: string): number | undefined
  set(key: string, at: number): void
}

const MAX_DEPTH = 32

/** Names what a path leads to; a slash at its end, and others after others, mean nothing. */
export function resourceOf(host: string | undefined, path: string): string {
  const names = path.split('/').filter((name) => name !== '')
  return [host ?? '', ...names.slice(0, MAX_DEPTH)].join('/')
}

/** What an exchange changed; `undefined` where it only read, or was refused or not answered. */
export function writeOf(
  method: string,
  status: number,
  resource: string,
  named: string | undefined,
): Write | undefined {
  if (isSafe(method) || status >= 400 || status === 101 || status === UNANSWERED) return undefined
  const resources = named === undefined || named === resource ? [resource] : [resource, named]
  return { resources, replaces: method !== 'POST' }
}

/** Notes a write. What was replaced is as it was left last; what was added to has all that was added. */
export function noteWrite(places: Places, { resources, replaces }: Write, at: number): void {
  const further = (key: string): void => places.set(key, Math.max(at, places.get(key) ?? -1))
  for (const resource of resources) {
    if (replaces) {
      places.set(`=${resource}`, at)
      further(`>${resource}`)
    } else further(`=${resource}`)
    for (const above of ancestorsOf(resource)) further(`<${above}`)
  }
}

/** The last writes that concern a resource. A POST concerns nothing below it: it adds, and leaves the rest alone. */
export function lastWrites(places: Places, resource: string): LastWrites {
  let above = -1
  for (const each of ancestorsOf(resource)) above = Math.max(above, places.get(`>${each}`) ?? -1)
  return { own: places.get(`=${resource}`) ?? -1, below: places.get(`<${resource}`) ?? -1, above }
}

/** The resource that one is directly below; its own for that of a host. */
export function parentOf(resource: string): string {
  const end = resource.lastIndexOf('/')
  return end === -1 ? resource : resource.slice(0, end)
}

function* ancestorsOf(resource: string): Generator<string> {
  for (let end = resource.lastIndexOf('/'); end !== -1; end = resource.lastIndexOf('/', end - 1)) {
    yield resource.slice(0, end)
    if (end === 0) return
  }
}
