import { isObject } from '../../../engine/schema/schema.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import { filled } from './examples.ts'
import type { Learned } from './learn.ts'
import { hasBelow } from './play.ts'
import { makeMembers, type Sources, valueOf } from './rules.ts'
import type { Listing, Template, View } from './views.ts'

export type Members = Readonly<Record<string, unknown>>

/** What there is when an answer is written. */
export interface Scene {
  readonly learned: Learned
  readonly state: ReadonlyMap<string, Members>
  readonly fresh: Fresh
  readonly sources: Sources
  readonly items: {
    readonly own: string
    readonly made: string | undefined
    readonly other: string | undefined
    readonly before: Members | undefined
  }
  readonly texts: Readonly<Partial<Record<string, string>>>
}

/** The value that a template is of. */
export function render(template: Template, scene: Scene): unknown {
  const { items, sources, fresh, state } = scene
  if ('rule' in template) return valueOf(template.rule, sources, fresh)
  if ('text' in template) return filled(template.text, scene.texts)
  if ('list' in template) return list(template.list, items.own, scene)
  if ('each' in template) return template.each.map((each) => render(each, scene))
  if ('members' in template)
    return Object.fromEntries(
      Object.entries(template.members).map(([name, part]) => [name, render(part, scene)]),
    )
  const { item, view } = template
  if (item === 'before') return show(view, items.own, items.before, scene)
  const path = items[item] ?? items.own
  return show(view, path, state.get(path), scene)
}

function show(view: View, path: string, stored: Members | undefined, scene: Scene): Members {
  const { learned, sources, fresh } = scene
  const members = stored ?? makeMembers(learned.folder, { ...sources, path, said: {} }, fresh)
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries({ ...members, ...view.fixed })) {
    if (view.omits.includes(name)) continue
    const rule = Object.hasOwn(view.fixed, name) ? view.fixed[name] : undefined
    shown[name] = rule === undefined ? value : valueOf(rule, { ...sources, path }, fresh)
  }
  if (view.lists === undefined) return shown
  const inner = list(view.lists.by, path, scene)
  if (inner.length > 0 || learned.showsEmpty) shown[view.lists.name] = inner
  return shown
}

function list(by: Listing, of: string, scene: Scene): readonly unknown[] {
  const { state, learned } = scene
  return childrenOf(state, of).map((path) => {
    const members = state.get(path)
    const isSaid = learned.mark !== undefined && members !== undefined
    const kind = (isSaid ? isFolder(learned, members) : hasBelow(state, path)) ? 'folder' : 'leaf'
    const view = by[kind] ?? learned.listing[kind] ?? { fixed: {}, omits: [] }
    // Those within are shown alike.
    const inner = view.lists === undefined ? view : { ...view, lists: { ...view.lists, by } }
    return show(inner, path, members, scene)
  })
}

/** The paths right below another, whether or not anybody made them. */
export function childrenOf(state: ReadonlyMap<string, unknown>, of: string): readonly string[] {
  const start = of === '' ? '' : `${of}/`
  const found = new Set<string>()
  for (const path of state.keys()) {
    if (path === of || path === '' || !path.startsWith(start)) continue
    const end = path.indexOf('/', start.length)
    found.add(end < 0 ? path : path.slice(0, end))
  }
  return [...found]
}

/** Whether an item is a folder by what it has. */
export function isFolder({ mark }: Learned, members: Members | undefined): boolean {
  return mark !== undefined && isObject(members) && members[mark.name] === mark.value
}
