import { isObject } from '../../../engine/schema/schema.ts'
import { isListOf } from './find-roots.ts'
import { type Form, isChild, parentOf, placeIn, saidBy } from './places.ts'

/** A request for what is at a path below the root, and its answer. */
export interface Step {
  readonly method: string
  /** Below the root. */
  readonly rest: string
  readonly query: Readonly<Record<string, unknown>>
  readonly sent?: unknown
  readonly status: number
  readonly answered: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** An item as it was until it was changed: all that answers showed of it. */
export interface Version {
  readonly members: Record<string, unknown>
  /** Whether it was seen to have others below it. */
  isFolder: boolean
  /** The request that made it, where that made something below it. */
  readonly impliedBy?: number
}

/** What a request did: it made an item, in place of the one that was there, or of another one, or it removed one. */
type Done =
  | { readonly does: 'make' | 'move'; readonly path: string; readonly made: Version }
  | { readonly does: 'remove' }

/** A request, and what was there when it came. */
export interface Moment {
  readonly step: Step
  readonly own: Version | undefined
  /** Whether anything was below its path. */
  readonly hasBelow: boolean
  readonly hasParent: boolean
  /** The first path down to its own at which nothing is. */
  readonly missing: string
  /** The next item above it. */
  readonly above: { readonly path: string; readonly version: Version } | undefined
  /** Others that it names, by what names them. */
  readonly others: ReadonlyMap<string, { readonly path: string; readonly version: Version | undefined }>
  readonly done: Done | undefined
  /** What its answer shows, by paths. */
  readonly shown: ReadonlyMap<string, Version>
}

/** What requests did to a tree. */
interface Played {
  readonly moments: readonly Moment[]
  /** What there was in the beginning, as far as it was shown, by paths. */
  readonly initial: ReadonlyMap<string, Version>
  /** What of a request may name another item. */
  readonly naming: ReadonlySet<string>
}

type State = Map<string, Version>

/** Does what requests did to a tree of which nothing is known at first. */
export function play(form: Form, steps: readonly Step[]): Played {
  const places = new Set(steps.flatMap(({ answered }) => itemsIn(form, answered).map(({ path }) => path)))
  const naming = namesOfOthers(form, steps, places)
  const readAt = new Map<string, number[]>()
  for (const [index, { method, rest, status }] of steps.entries())
    if (method === 'GET' && status < 300) readAt.set(rest, [...(readAt.get(rest) ?? []), index])
  const state: State = new Map()
  const initial = new Map<string, Version>()
  const moments = steps.map((step, index): Moment => {
    const { rest } = step
    const own = state.get(rest)
    const before = {
      ...{ step, own, hasBelow: hasBelow(state, rest), above: aboveOf(state, rest) },
      hasParent: !rest.includes('/') || state.has(parentOf(rest)) || hasBelow(state, parentOf(rest)),
      missing: missingAbove(state, rest)[0] ?? rest,
      others: othersOf(form, step, naming, state),
    }
    const items = step.status < 300 ? itemsIn(form, step.answered) : []
    if (step.method === 'GET' || step.method === 'HEAD') {
      for (const { path, value, isFolder } of items) {
        const known = state.get(path) ?? { members: {}, isFolder }
        if (!state.has(path)) {
          initial.set(path, known)
          store(state, path, known)
        }
        if (isFolder) known.isFolder = true
        learnMembers(form, known, value)
      }
      const found = state.get(rest)
      const shown = new Map(items.flatMap(({ path }) => entryOf(state, path)))
      return { ...before, own: found, above: aboveOf(state, rest), done: undefined, shown }
    }
    const done = step.status < 300 ? doneBy(step, items, own, places) : undefined
    if (done?.does === 'remove') removeIn(state, rest)
    else if (done !== undefined) {
      const [first] = items
      if (first !== undefined) learnMembers(form, done.made, first.value)
      // What is still read where it was, has been copied.
      const isRead = readAt.get(rest)?.some((each) => each > index) === true
      const isMove = done.does === 'move' && !isRead
      const inner = isMove ? [...state].filter(([path]) => path.startsWith(`${rest}/`)) : []
      if (isMove) removeIn(state, rest)
      if (done.does === 'make')
        for (const path of missingAbove(state, done.path))
          state.set(path, { members: {}, isFolder: true, impliedBy: index })
      store(state, done.path, done.made)
      for (const [path, version] of inner) store(state, done.path + path.slice(rest.length), version)
      const shown = new Map(items.flatMap(({ path }) => entryOf(state, path)))
      return { ...before, done: isMove ? done : { ...done, does: 'make' }, shown }
    }
    return { ...before, done, shown: new Map() }
  })
  return { moments, initial, naming }
}

interface ShownItem {
  readonly path: string
  readonly value: Readonly<Record<string, unknown>>
  readonly isFolder: boolean
}

/** The items that an answer shows, in the order that it does so. */
export function itemsIn(form: Form, answered: unknown): readonly ShownItem[] {
  if (Array.isArray(answered)) return answered.flatMap((each: unknown) => itemsIn(form, each))
  if (!isObject(answered)) return []
  const path = placeIn(form, answered)
  const inner = Object.values(answered).filter((value) => typeof value === 'object')
  const isFolder = path !== undefined && inner.some((value) => isListOf(form, value, path))
  const own = path === undefined ? [] : [{ path, value: answered, isFolder }]
  return [...own, ...inner.flatMap((value) => itemsIn(form, value))]
}

function doneBy(
  { method, rest, sent }: Step,
  [first]: readonly ShownItem[],
  own: Version | undefined,
  places: ReadonlySet<string>,
): Done | undefined {
  if (method === 'DELETE') return { does: 'remove' }
  const made: Version = { members: {}, isFolder: first?.isFolder ?? false }
  if (first === undefined)
    return method === 'PUT' && sent !== undefined && places.has(rest)
      ? { does: 'make', path: rest, made }
      : undefined
  const { path } = first
  if (path === rest || isChild(path, rest)) return { does: 'make', path, made }
  return own === undefined ? undefined : { does: 'move', path, made }
}

// What several answers show of an item is the more particular: some leave out contents, or have `null` for them.
function learnMembers(form: Form, { members }: Version, value: Readonly<Record<string, unknown>>): void {
  const path = placeIn(form, value) ?? ''
  for (const [name, part] of Object.entries(value)) {
    const isUnsaid =
      part === null || (Array.isArray(part) && (part.length === 0 || isListOf(form, part, path)))
    if (!isUnsaid) members[name] ??= part
    else if (!Object.hasOwn(members, name)) members[name] = null
  }
}

function namesOfOthers(form: Form, steps: readonly Step[], places: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { method, query, sent, rest, status } of steps) {
    if (method === 'GET' || status >= 300) continue
    for (const [name, value] of Object.entries(saidBy(query, sent))) {
      const path = pathSaid(form, value)
      if (path !== undefined && path !== rest && places.has(path)) names.add(name)
    }
  }
  return names
}

/** The path that a value of a request says. */
export function pathSaid({ lead }: Form, value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  return value.startsWith(lead) ? value.slice(lead.length) : value
}

function othersOf(
  form: Form,
  { query, sent }: Step,
  naming: ReadonlySet<string>,
  state: ReadonlyMap<string, Version>,
): Moment['others'] {
  return new Map(
    Object.entries(saidBy(query, sent)).flatMap(([name, value]) => {
      const path = naming.has(name) ? pathSaid(form, value) : undefined
      return path === undefined ? [] : [[name, { path, version: state.get(path) }] as const]
    }),
  )
}

/** Whether anything is below a path. */
export function hasBelow(state: ReadonlyMap<string, unknown>, path: string): boolean {
  const start = path === '' ? '' : `${path}/`
  for (const each of state.keys()) if (each !== path && each.startsWith(start)) return true
  return false
}

/** The next item above a path. */
export function aboveOf<Item>(
  state: ReadonlyMap<string, Item>,
  path: string,
): { readonly path: string; readonly version: Item } | undefined {
  for (let at = parentOf(path); at !== ''; at = parentOf(at)) {
    const version = state.get(at)
    if (version !== undefined) return { path: at, version }
  }
  return undefined
}

/** The paths above another one at which nothing is. */
export function missingAbove(state: ReadonlyMap<string, unknown>, path: string): readonly string[] {
  const missing: string[] = []
  for (let at = parentOf(path); at !== ''; at = parentOf(at)) if (!state.has(at)) missing.unshift(at)
  return missing
}

function entryOf(state: State, path: string): readonly (readonly [string, Version])[] {
  const version = state.get(path)
  return version === undefined ? [] : [[path, version]]
}

function store(state: State, path: string, version: Version): void {
  state.set(path, version)
  const above = aboveOf(state, path)
  if (above !== undefined) above.version.isFolder = true
}

/** Removes an item with all that is below it. */
export function removeIn(state: Map<string, unknown>, path: string): void {
  for (const each of [...state.keys()]) if (each === path || each.startsWith(`${path}/`)) state.delete(each)
}
