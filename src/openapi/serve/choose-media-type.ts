import { NotAcceptable } from '../../errors.ts'
import type { Headers } from '../../message.ts'
import { essenceOf, mediaKindOf, mediaParameters, type MediaKind } from '../../media-type.ts'
import type { Content, MediaType } from '../../engine/operation.ts'
import { negotiatorOf } from '../../routing/negotiator.ts'

/** The declared media type or range that a type falls under, the closest first; `undefined` where there is none. */
export function matchMediaType(type: string, declared: Iterable<string>): string | undefined {
  const ranked = [...declared]
    .map((range) => ({ range, closeness: closenessOf(type, range) }))
    .filter(({ closeness }) => closeness > 0)
    .toSorted((one, other) => other.closeness - one.closeness)
  return ranked[0]?.range
}

function closenessOf(type: string, range: string): number {
  const [essence, wanted] = [essenceOf(type), essenceOf(range)]
  const given = mediaParameters(type)
  const required = [...mediaParameters(range)].filter(([name]) => name !== 'charset')
  if (required.some(([name, value]) => given.get(name) !== value)) return 0
  if (essence === wanted) return 3 + required.length
  if (wanted.endsWith('/*') && essence.startsWith(wanted.slice(0, -1))) return 2
  return wanted === '*/*' || wanted === '*' ? 1 : 0
}

/** A body's media type and what of the description it falls under. */
export interface ChosenMediaType {
  /** The declared media type or range. */
  readonly range: string
  /** The type the body is read as. */
  readonly type: string
}

/**
 * What a body of a content type is read as; `undefined` where the description has no such type.
 * A body that names no type is taken for JSON where that is declared, and for the first declared type elsewhere.
 */
export function chooseMediaType(content: Content, type: string | undefined): ChosenMediaType | undefined {
  if (content.size === 0) return { range: '*/*', type: type ?? 'application/json' }
  if (type === undefined) {
    const ranges = [...content.keys()]
    const range = ranges.find((each) => mediaKindOf(each) === 'json') ?? ranges[0] ?? '*/*'
    return { range, type: range.includes('*') ? 'application/json' : range }
  }
  const range = matchMediaType(type, content.keys())
  return range === undefined ? undefined : { range, type }
}

/** How a body is read: by its parts, as its type says, or not at all where its model is any bytes. */
export function bodyKindOf(type: string, { model }: MediaType): MediaKind | 'parts' {
  // Descriptions that were Swagger have files as `format: file`, too.
  if (model?.['format'] === 'binary' || model?.['format'] === 'file') return 'binary'
  if (essenceOf(type) === 'multipart/form-data') return 'parts'
  const kind = mediaKindOf(type)
  return kind === 'multipart' ? 'binary' : kind
}

/** The form of a body that a request takes. */
export interface Negotiated {
  /** The media type to answer with, as the description writes it. */
  readonly type: string
  readonly media: MediaType
}

/**
 * Chooses a form of the body by a request's `Accept` (RFC 9110, section 12.5.1). JSON comes first where the request
 * has no preference. Who asks for a vendor's JSON or XML takes any JSON or XML, since its structure is the same.
 * @returns `undefined` for a response without content
 * @throws NotAcceptable naming the types there are
 */
export function negotiate(content: Content, given: Headers['accept']): Negotiated | undefined {
  if (content.size === 0) return undefined
  const accept = [given ?? []].flat().join(',')
  const accepted = accept.trim() === '' ? ['*/*'] : acceptedIn(accept)
  const forms = formsOf(content, accepted)
  const types = forms.map(({ type }) => type)
  const [type] = accepting(accept).mediaTypes(types)
  const chosen = type ?? accepted.map((each) => alikeIn(types, each)).find((each) => each !== undefined)
  const form = forms.find((each) => each.type === chosen)
  if (form !== undefined) return form
  // What a description calls a media type may be none, such as `PDF`.
  if (accepted.includes('*/*') && forms[0] !== undefined && !forms.some((each) => each.type.includes('/')))
    return forms[0]
  throw new NotAcceptable(accept, [...content.keys()])
}

/** The form that `negotiate` chooses; `undefined` where a request accepts none. */
export function acceptedForm(content: Content, accept: Headers['accept']): Negotiated | undefined {
  try {
    return negotiate(content, accept)
  } catch (error) {
    if (error instanceof NotAcceptable) return undefined
    throw error
  }
}

function accepting(accept: string): ReturnType<typeof negotiatorOf> {
  return negotiatorOf(accept.trim() === '' ? {} : { accept })
}

// In the order of preference, without what is refused by `q=0`.
function acceptedIn(accept: string): readonly string[] {
  return accepting(accept).mediaTypes()
}

// A range in the description stands for every type in it that the request names, and else for its usual one.
function formsOf(content: Content, accepted: readonly string[]): readonly Negotiated[] {
  const forms = [...content].flatMap(([type, media]) => {
    const range = essenceOf(type)
    if (!range.includes('*')) return [{ type, media, isNamed: true }]
    const prefix = range === '*/*' ? '' : range.slice(0, range.indexOf('*'))
    const named = accepted.map(essenceOf).filter((each) => !each.includes('*') && each.startsWith(prefix))
    return [...named, DEFAULT_TYPES.get(prefix) ?? 'application/octet-stream'].map((each) => ({
      type: each,
      media,
      isNamed: false,
    }))
  })
  return forms.toSorted((a, b) => rankOf(a.type) - rankOf(b.type) || Number(b.isNamed) - Number(a.isNamed))
}

const DEFAULT_TYPES: ReadonlyMap<string, string> = new Map([
  ['', 'application/json'],
  ['application/', 'application/json'],
  ['text/', 'text/plain'],
  ['image/', 'image/png'],
  ['audio/', 'audio/mpeg'],
  ['video/', 'video/mp4'],
])

function rankOf(type: string): number {
  if (essenceOf(type) === 'application/json') return 0
  return mediaKindOf(type) === 'json' ? 1 : 2
}

function alikeIn(types: readonly string[], accepted: string): string | undefined {
  const wanted = essenceOf(accepted)
  const kind = mediaKindOf(wanted)
  return (
    types.find((type) => essenceOf(type) === wanted) ??
    (kind === 'json' || kind === 'xml' ? types.find((type) => mediaKindOf(type) === kind) : undefined)
  )
}
