import { essenceOf, mediaKindOf, mediaParameters, type MediaKind } from '../../media-type.ts'
import type { Content, MediaType } from '../../engine/operation.ts'

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
  if (model?.['format'] === 'binary') return 'binary'
  if (essenceOf(type) === 'multipart/form-data') return 'parts'
  const kind = mediaKindOf(type)
  return kind === 'multipart' ? 'binary' : kind
}
