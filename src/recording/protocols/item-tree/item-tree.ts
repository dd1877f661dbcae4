import type { CallModel, CallOutcome } from '../../../engine/call-model.ts'
import type { Call, CallForm } from '../../calls/call.ts'
import type { Objects } from '../../calls/objects.ts'
import type { Fresh } from '../../match/nearest-answer.ts'
import type { Protocol } from '../protocol.ts'
import { SEEN_TOGETHER, TREE_FORM } from '../tree-form.ts'
import { type Effect, type Example, filled, textsOf } from './examples.ts'
import { findRoots } from './find-roots.ts'
import { isForChange } from './header-numbers.ts'
import { ITEMS, learn, type Learned } from './learn.ts'
import { nameOf, partsOf, pathBelow, saidBy, within } from './places.ts'
import { aboveOf, hasBelow, missingAbove, pathSaid } from './play.ts'
import { isFolder, type Members, render, type Scene } from './render.ts'
import { makeMembers, type Making, type Sources } from './rules.ts'
import { extensionOf, likeness, type Situation, wordsIn } from './situation.ts'

const calls: CallForm = {
  ...TREE_FORM,
  roots: findRoots,
  read({ method = 'GET', path, query, body }) {
    if (path === undefined) return undefined
    return [{ name: method, args: { method, path, query, ...(body !== undefined && { sent: body }) } }]
  },
  semantics: { learn, perform },
}

/**
 * A tree of items, each at the path that its client chose and says in its answers: files of a server for notebooks, keys
 * of a store with folders. What is made, copied, renamed and removed there, and what is in what, others are answered by.
 */
export const itemTree: Protocol = {
  name: 'item tree',
  ...SEEN_TOGETHER,
  calls,
}

interface Request {
  readonly method: string
  readonly rest: string
  readonly query: Readonly<Record<string, unknown>>
  readonly sent?: unknown
}

function perform(
  model: Pick<CallModel, 'learned'>,
  all: ReadonlyMap<string, Objects>,
  { args }: Call,
  fresh: Fresh,
): CallOutcome | undefined {
  const learned = model.learned as unknown as Learned
  const objects = all.get(ITEMS)
  const rest = pathBelow(learned.form.root, String(args['path']))
  if (objects === undefined || rest === undefined) return undefined
  const method = String(args['method'])
  const query = args['query'] as Request['query']
  const request: Request = { method: method === 'HEAD' ? 'GET' : method, rest, query, sent: args['sent'] }
  const state = new Map([...objects.items].map(([id, { members }]) => [id.slice(1), members as Members]))
  const said = saidBy(query, request.sent)
  const others = new Map(
    learned.naming.flatMap((name) => {
      const path = Object.hasOwn(said, name) ? pathSaid(learned.form, said[name]) : undefined
      return path === undefined ? [] : [[name, path] as const]
    }),
  )
  const situation = situationOf(request, others, state, learned)
  const example = nearest(situation, learned.examples)
  if (example === undefined) return undefined
  const { effect, answer } = example
  if (effect !== undefined) objects.greatest++
  if (isForChange(method)) objects.changes.now++
  const [other] = others.values()
  const path = situation.at === 'below' ? rest.slice(0, -situation.below.length - 1) : rest
  const sources: Sources = {
    ...{ form: learned.form, path: rest, said, before: state.get(rest) },
    ...{ other: other === undefined ? undefined : state.get(other), count: learned.start + objects.greatest },
  }
  const made = effect === undefined ? undefined : madePath(effect, rest, others, sources, state)
  const before = state.get(rest)
  const missing = missingAbove(state, rest)[0] ?? rest
  if (effect !== undefined)
    change(objects, state, effect, { rest, made, sources, fresh, folder: learned.folder })
  const texts = textsOf(path, { made, other, missing })
  const scene: Scene = {
    ...{ learned, state, fresh, texts },
    sources: { ...sources, path: made ?? rest },
    items: { own: rest, made, other, before },
  }
  const value = answer.body === undefined ? undefined : render(answer.body, scene)
  const { location, ...headers } = answer.headers ?? {}
  const numbers = learned.headerNumbers.flatMap(({ name, by, plus }): [string, string][] => {
    const counted = by === 'changes' ? objects.greatest : objects.changes.now
    return answer.counting?.includes(name) === true ? [[name, String(counted + plus)]] : []
  })
  return {
    status: answer.status,
    headers: {
      ...headers,
      ...Object.fromEntries(numbers),
      ...(location !== undefined && { location: filled(location, texts, true) }),
    },
    ...(answer.status >= 400 ? { error: value } : value !== undefined && { value }),
  }
}

function situationOf(
  { method, rest, query, sent }: Request,
  others: ReadonlyMap<string, string>,
  state: ReadonlyMap<string, Members>,
  learned: Learned,
): Situation {
  const own = state.get(rest)
  const isFilled = hasBelow(state, rest)
  const above = aboveOf(state, rest)
  const isBelow = own === undefined && above !== undefined && !isFolder(learned, above.version) && !isFilled
  const isBelowLeaf = isBelow && learned.mark !== undefined
  const at =
    rest === '' || isFilled || isFolder(learned, own)
      ? 'folder'
      : own
        ? 'leaf'
        : isBelowLeaf
          ? 'below'
          : 'none'
  const parent = rest.slice(0, Math.max(0, rest.lastIndexOf('/')))
  return {
    ...{ method, at, isTop: rest === '', isFilled, query, sent: wordsIn(sent), extension: extensionOf(rest) },
    below: at === 'below' ? rest.slice((above?.path.length ?? 0) + 1) : '',
    hasParent: parent === '' || state.has(parent) || hasBelow(state, parent),
    others: Object.fromEntries(
      [...others].map(([name, path]) => [name, state.has(path) || hasBelow(state, path)]),
    ),
  }
}

// Where nobody was seen to do it, folders are removed and renamed as other items are, and what is written anew is
// written as what is new; what is not there is refused as others are.
function nearest(situation: Situation, examples: readonly Example[]): Example | undefined {
  const among = (wanted: Situation, all: readonly Example[] = examples): Example | undefined => {
    let best: { readonly score: number; readonly example: Example } | undefined
    for (const example of all) {
      const score = likeness(example, wanted)
      if (score !== undefined && (best === undefined || score > best.score)) best = { score, example }
    }
    return best?.example
  }
  const own = among(situation)
  if (own !== undefined) return own
  const { at, method } = situation
  if (method === 'PUT' && at !== 'folder') return among({ ...situation, at: at === 'leaf' ? 'none' : 'leaf' })
  if (at === 'folder' || at === 'leaf') {
    const found = among({ ...situation, at: at === 'leaf' ? 'folder' : 'leaf' })
    const does = found?.effect?.does
    return does === 'remove' || does === 'move' ? found : undefined
  }
  if (method === 'POST') return undefined
  const refusals = examples.filter((each) => each.answer.status >= 400 && each.at === 'none')
  for (const other of ['GET', 'DELETE', 'PATCH']) {
    const found = among({ ...situation, method: other, at: 'none', below: '', others: {} }, refusals)
    if (found !== undefined) return found
  }
  return undefined
}

function madePath(
  { does, name, at }: Effect,
  rest: string,
  others: ReadonlyMap<string, string>,
  { said, count }: Sources,
  state: ReadonlyMap<string, Members>,
): string | undefined {
  if (does === 'remove') return undefined
  if (at !== undefined) return others.get(at) ?? rest
  if (name === undefined) return rest
  if (name.is === 'said') return within(rest, String(said[name.of]))
  if (name.is === 'count') return within(rest, String(count).padStart(name.width, '0'))
  const [source = ''] = others.values()
  const [stem, extension] = partsOf(name.is === 'after' ? nameOf(source) : name.name)
  const start = name.is === 'after' ? stem + name.affix : stem
  const isFree = (path: string): boolean => !state.has(path)
  if (isFree(within(rest, start + extension))) return within(rest, start + extension)
  // What is taken is numbered, after the number that is there.
  const [, plain = '', digits = ''] = /^(.*?)(\d{0,9})$/.exec(start) ?? []
  const gap = digits === '' && plain.includes(' ') ? ' ' : ''
  for (let number = Number(digits) + 1; ; number++) {
    const path = within(rest, `${plain}${gap}${number}${extension}`)
    if (isFree(path)) return path
  }
}

function change(
  { items }: Objects,
  state: Map<string, Members>,
  { does, making = {} }: Effect,
  {
    rest,
    made,
    sources,
    fresh,
    folder,
  }: {
    readonly folder: Making
    readonly rest: string
    readonly made: string | undefined
    readonly sources: Sources
    readonly fresh: Fresh
  },
): void {
  const remove = (path: string): void => {
    state.delete(path)
    items.delete(`/${path}`)
  }
  const put = (path: string, members: Members): void => {
    state.set(path, members)
    items.set(`/${path}`, { id: `/${path}`, members })
  }
  const inner = [...state].filter(([path]) => path.startsWith(`${rest}/`))
  if (does !== 'make') for (const path of [rest, ...inner.map(([each]) => each)]) remove(path)
  if (made === undefined) return
  for (const path of missingAbove(state, made))
    put(path, makeMembers(folder, { ...sources, path, said: {} }, fresh))
  put(made, makeMembers(making, { ...sources, path: made }, fresh))
  if (does !== 'move') return
  const { form } = sources
  for (const [path, members] of inner) {
    const moved = made + path.slice(rest.length)
    put(moved, { ...members, [form.member]: form.lead + moved })
  }
}
