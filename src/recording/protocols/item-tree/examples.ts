import { literalPattern } from '../../../routing/path-template.ts'

import { type Form, isChild, nameOf, partsOf, saidBy } from './places.ts'
import type { Moment, Version } from './play.ts'
import { type Making, makingOf } from './rules.ts'
import { extensionOf, type Situation, wordsIn } from './situation.ts'
import { type Template, templateOf } from './views.ts'

/** A recorded request, what it did, and what its answer was made of. */
export interface Example extends Situation {
  readonly effect?: Effect
  readonly answer: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    /** The headers that count something. */
    readonly counting?: readonly string[]
    readonly body?: Template
  }
}

/** What a request does. */
export interface Effect {
  readonly does: 'make' | 'move' | 'remove'
  /** What the server calls what it makes in a folder. */
  readonly name?: NameRule
  /** What names the path of what is made. */
  readonly at?: string
  readonly making?: Making
}

/** Where the name of what is made comes from. */
type NameRule =
  | { readonly is: 'said'; readonly of: string }
  /** After that of the item that is copied, without its extension. */
  | { readonly is: 'after'; readonly affix: string }
  | { readonly is: 'count'; readonly width: number }
  | { readonly is: 'constant'; readonly name: string }

interface Known {
  readonly form: Form
  readonly isFolder: (version: Version) => boolean
  readonly counters: ReadonlySet<string>
  readonly count: number
  readonly folderMember: string | undefined
  /** Headers that count. */
  readonly numbers: readonly string[]
}

/** What a recorded request says of others. */
export function exampleOf(moment: Moment, known: Known): Example {
  const { step, own, hasBelow, hasParent, missing, above, others, done, shown } = moment
  const { form, isFolder, counters, count, folderMember, numbers } = known
  const { rest, query, sent, method, status, answered, headers } = step
  const said = saidBy(query, sent)
  const isBelow = own === undefined && above !== undefined && !isFolder(above.version)
  const at =
    rest === '' || hasBelow || (own && isFolder(own)) ? 'folder' : own ? 'leaf' : isBelow ? 'below' : 'none'
  const [named] = others.values()
  const madeAt = done === undefined || done.does === 'remove' ? undefined : done.path
  const texts = {
    other: named?.path,
    made: madeAt,
    path: isBelow ? above.path : rest,
    missing,
    name: nameOf(isBelow ? above.path : rest),
  }
  const repeats = (text: string): string => withRepeats(text, texts)
  const sources = { form, said, before: own?.members, other: named?.version?.members, count }
  const template =
    answered === undefined
      ? undefined
      : templateOf(answered, {
          ...{ form, rest, isFolder, folderMember, count, counters, repeats },
          versions: shown,
          refersTo(path, index) {
            const made = madeAt === path && done !== undefined && 'made' in done ? done.made : undefined
            if (made !== undefined && index === 0) return { item: 'made', version: made }
            if (path === rest && own !== undefined)
              return { item: done === undefined ? 'own' : 'before', version: own }
            return named?.path === path && named.version
              ? { item: 'other', version: named.version }
              : undefined
          },
        })
  const location = headers['location']
  const type = headers['content-type']
  const counting = numbers.filter((name) => headers[name] !== undefined)
  const kept = {
    ...(type !== undefined && answered !== undefined && { 'content-type': type }),
    ...(location !== undefined && { location: repeats(location) }),
  }
  return {
    ...{ method, at, isTop: rest === '', isFilled: hasBelow, hasParent, query, sent: wordsIn(sent) },
    below: isBelow ? rest.slice(above.path.length + 1) : '',
    others: Object.fromEntries([...others].map(([name, { version }]) => [name, version !== undefined])),
    extension: extensionOf(rest),
    ...(done !== undefined && { effect: effectOf(moment, done, sources, counters) }),
    answer: {
      status,
      headers: kept,
      ...(counting.length > 0 && { counting }),
      ...(template !== undefined && { body: template }),
    },
  }
}

function effectOf(
  { step: { rest }, others }: Moment,
  done: NonNullable<Moment['done']>,
  sources: Omit<Parameters<typeof makingOf>[1], 'path'>,
  counters: ReadonlySet<string>,
): Effect {
  if (done.does === 'remove') return { does: 'remove' }
  const { does, path, made } = done
  const making = makingOf(made.members, { ...sources, path }, counters)
  const [at] = [...others].find(([, other]) => other.path === path) ?? []
  if (path !== rest && at === undefined && isChild(path, rest)) {
    const [named] = others.values()
    return { does, making, name: nameRule(nameOf(path), sources.said, named?.path, sources.count) }
  }
  return { does, making, ...(at !== undefined && { at }) }
}

function nameRule(
  name: string,
  said: Readonly<Record<string, unknown>>,
  source: string | undefined,
  count: number,
): NameRule {
  const [of] = Object.keys(said).filter((each) => said[each] === name)
  if (of !== undefined) return { is: 'said', of }
  if (source !== undefined) {
    const [stem, extension] = partsOf(nameOf(source))
    if (name.startsWith(stem) && name.endsWith(extension))
      return { is: 'after', affix: name.slice(stem.length, name.length - extension.length) }
  }
  return /^\d+$/.test(name) && Number(name) === count
    ? { is: 'count', width: name.length }
    : { is: 'constant', name }
}

/** Shorter names are within words by chance. */
const MIN_NAME = 3

type Texts = Readonly<Partial<Record<string, string>>>

function withRepeats(text: string, texts: Texts): string {
  let all = text.replaceAll(/[{}]/g, (sign) => (sign === '{' ? '{{}' : '{}}'))
  for (const [key, value] of Object.entries(texts)) {
    if (value === undefined || value.length < MIN_NAME) continue
    for (const form of new Set([value, value.split('/').map(encodeURIComponent).join('/')]))
      all = all.replaceAll(new RegExp(`(?<![\\w{])${literalPattern(form)}(?![\\w}])`, 'g'), `{${key}}`)
  }
  return all
}

/** A text with what its template repeats of another request. */
export function filled(text: string, texts: Texts, isEncoded = false): string {
  return text.replaceAll(/\{(\{|\}|path|name|missing|made|other)\}/g, (_all, key: string) => {
    if (key === '{' || key === '}') return key
    const value = texts[key] ?? ''
    return isEncoded ? value.split('/').map(encodeURIComponent).join('/') : value
  })
}

/** What texts may repeat of a request. */
export function textsOf(path: string, others: Texts): Texts {
  return { path, name: nameOf(path), ...others }
}
