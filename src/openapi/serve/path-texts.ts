import { segmentsOf } from '../../routing/path-template.ts'

/** The values of a path's parameters as they are written, not yet percent-decoded. */
export type ReadPathTexts = (path: string) => ReadonlyMap<string, string>

/** Makes the reader of a path template's values; a path of another shape has none. */
export function createPathTexts(template: string): ReadPathTexts {
  const readers = segmentsOf(template).map(segmentReader)
  return (path) => {
    const segments = segmentsOf(path)
    if (segments.length !== readers.length) return new Map()
    return new Map(readers.flatMap((read, index) => read(segments[index] ?? '')))
  }
}

type ReadSegment = (segment: string) => readonly [string, string][]

function segmentReader(template: string): ReadSegment {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '')
  if (names.length === 0) return () => []
  const literals = template.split(/\{[^{}]+\}/).map((each) => each.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const expression = new RegExp(`^${literals.join('(.+?)')}$`, 's')
  return (segment) => {
    const values = expression.exec(segment)?.slice(1) ?? []
    return values.map((value, index) => [names[index] ?? '', value])
  }
}
