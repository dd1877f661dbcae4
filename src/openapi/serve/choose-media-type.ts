import { matchMediaType } from './match-media-type.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Content } from '../../engine/operation.ts'

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
