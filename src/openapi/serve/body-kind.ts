import { essenceOf, type MediaKind, mediaKindOf } from '../../media-type.ts'
import type { MediaType } from '../../engine/operation.ts'

/** How a body is read: by its parts, as its type says, or not at all where its model is any bytes. */
export function bodyKindOf(type: string, { model }: MediaType): MediaKind | 'parts' {
  if (model?.['format'] === 'binary') return 'binary'
  if (essenceOf(type) === 'multipart/form-data') return 'parts'
  const kind = mediaKindOf(type)
  return kind === 'multipart' ? 'binary' : kind
}
