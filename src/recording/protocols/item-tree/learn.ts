import type { CallModel } from '../../../engine/call-model.ts'
import type { SeenCall } from '../../calls/call.ts'
import { plainType } from '../../calls/objects.ts'
import { findForm, isListOf } from './find-roots.ts'
import { type Counters, countersIn } from './counters.ts'
import { type Example, exampleOf } from './examples.ts'
import { type HeaderNumber, headerNumbersIn } from './header-numbers.ts'
import { type Form, pathBelow } from './places.ts'
import { itemsIn, type Moment, play, type Step, type Version } from './play.ts'
import { type Making, makingOf } from './rules.ts'
import type { Listing, Template, View } from './views.ts'

/** The only type of such a model. */
export const ITEMS = 'items'

/** What a recording shows of a tree, apart from what is in it. */
export interface Learned {
  readonly form: Form
  /** What only folders have. */
  readonly mark?: { readonly name: string; readonly value: unknown }
  /** What a folder has that nobody made. */
  readonly folder: Making
  readonly folderMember?: string
  /** Whether a folder lists nothing where nothing is in it. */
  readonly showsEmpty: boolean
  readonly listing: Listing
  readonly naming: readonly string[]
  /** Members that count changes, and how many there were before. */
  readonly counters: readonly string[]
  readonly start: number
  readonly headerNumbers: readonly HeaderNumber[]
  readonly examples: readonly Example[]
}

/** More would show little more. */
const MAX_STEPS = 2000
const MAX_EXAMPLES = 400

/** What there was in the beginning, and how its server answers. */
export function learn(calls: readonly SeenCall[], root = ''): Pick<CallModel, 'types' | 'learned'> {
  const done = calls.filter(({ outcome }) => (outcome.status ?? 200) < 300)
  const answers = done.map(({ call, value }) => ({ path: String(call.args['path']), answered: value }))
  const form = findForm(answers, root)
  if (form === undefined) return { types: { [ITEMS]: plainType('id', []) }, learned: {} }
  const steps = calls.flatMap((each) => stepOf(each, form)).slice(0, MAX_STEPS)
  const { moments, initial, naming } = play(form, steps)
  const versions = new Set(moments.flatMap(({ shown, own }) => [...shown.values(), ...(own ? [own] : [])]))
  const mark = markOf([...versions])
  const { counters, start, countAt } = countersIn(form, moments)
  const folderMember = memberOfFolders(form, steps)
  const isFolder = (version: Version): boolean =>
    mark === undefined ? version.isFolder : version.members[mark.name] === mark.value
  const headerNumbers = headerNumbersIn(moments)
  const numbers = headerNumbers.map(({ name }) => name)
  const examples = new Map<string, Example>()
  for (const [index, moment] of moments.entries()) {
    const count = countAt[index] ?? start
    const example = exampleOf(moment, { form, isFolder, counters, count, folderMember, numbers })
    const { answer, effect: _effect, ...situation } = example
    const key = JSON.stringify([situation, answer.status])
    if (!examples.has(key) && examples.size < MAX_EXAMPLES) examples.set(key, example)
  }
  const all = [...examples.values()]
  const learned: Learned = {
    ...{ form, naming: [...naming], counters: [...counters], start, headerNumbers, examples: all },
    ...(mark !== undefined && { mark }),
    ...(folderMember !== undefined && { folderMember }),
    folder: folderMaking(form, moments, isFolder, { counters, countAt }),
    showsEmpty: steps.some(({ answered }) => showsEmpty(form, answered, folderMember)),
    listing: listingIn(all),
  }
  const items = [...initial].map(([path, { members }]) => ({ id: `/${path}`, members }))
  return { types: { [ITEMS]: plainType('id', items) }, learned: { ...learned } }
}

function stepOf({ call, outcome }: SeenCall, { root }: Form): readonly Step[] {
  const { method, path, query, sent } = call.args
  const rest = pathBelow(root, String(path))
  if (rest === undefined) return []
  const { value, error, status = 200, headers = {} } = outcome
  return [
    {
      ...{ method: String(method), rest, query: query as Step['query'], sent, status },
      ...{ answered: error ?? value, headers },
    },
  ]
}

// The first member of which folders have one value, and all else has another or none.
function markOf(all: readonly Version[]): Learned['mark'] {
  const folders = all.filter(({ isFolder }) => isFolder)
  const [first] = folders
  if (first === undefined) return undefined
  const found = Object.entries(first.members).find(
    ([name, value]) =>
      (typeof value === 'string' || typeof value === 'boolean') &&
      folders.every(({ members }) => members[name] === value) &&
      all.some(({ members }) => members[name] !== value),
  )
  return found === undefined ? undefined : { name: found[0], value: found[1] }
}

function memberOfFolders(form: Form, steps: readonly Step[]): string | undefined {
  for (const { answered } of steps)
    for (const { path, value } of itemsIn(form, answered)) {
      const found = Object.keys(value).find((name) => isListOf(form, value[name], path))
      if (found !== undefined) return found
    }
  return undefined
}

function showsEmpty(form: Form, answered: unknown, member: string | undefined): boolean {
  if (Array.isArray(answered)) return answered.length === 0
  return itemsIn(form, answered).some(({ value }) => {
    const list = member === undefined ? undefined : value[member]
    return Array.isArray(list) && list.length === 0
  })
}

// That of one which nobody made, if there is one.
function folderMaking(
  form: Form,
  moments: readonly Moment[],
  isFolder: (version: Version) => boolean,
  { counters, countAt }: Pick<Counters, 'counters' | 'countAt'>,
): Making {
  const all = moments.flatMap(({ shown }) => [...shown]).filter(([, version]) => isFolder(version))
  const [path, version] = all.find(([, { impliedBy }]) => impliedBy !== undefined) ?? all[0] ?? []
  if (path === undefined || version === undefined) return {}
  const count = countAt[version.impliedBy ?? -1] ?? Number.NaN
  return makingOf(
    version.members,
    { form, path, said: {}, before: undefined, other: undefined, count },
    counters,
  )
}

// How what is in folders is shown, where a list shows none of a kind.
function listingIn(examples: readonly Example[]): Listing {
  const found: { leaf?: View; folder?: View } = {}
  const add = ({ leaf, folder }: Listing): void => {
    if (leaf !== undefined) found.leaf ??= leaf
    if (folder !== undefined) found.folder ??= folder
  }
  const walk = (template: Template): void => {
    if ('list' in template) add(template.list)
    else if ('item' in template) {
      if (template.view.lists !== undefined) add(template.view.lists.by)
    } else if ('members' in template) for (const each of Object.values(template.members)) walk(each)
    else if ('each' in template) for (const each of template.each) walk(each)
  }
  for (const { answer } of examples) if (answer.body !== undefined) walk(answer.body)
  return found
}
