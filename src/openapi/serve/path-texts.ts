import { segmentsOf } from '../../routing/path-template.ts'

/** The values of a path's parameters as they are written, not yet percent-decoded. */
export type ReadPathTexts = (path: string) => Map<string, string>

/** Makes the reader of a path template's values; a path of another shape has none. */
export function createPathTexts(template: string): ReadPathTexts {
  const readers = segmentsOf(template).map(segmentReader)
  return (path) => {
    const texts = new Map<string, string>()
    const segments = segmentsOf(path)
    if (segments.length !== readers.length) return texts
    for (let index = 0; index < readers.length; index++) readers[index]?.(segments[index] ?? '', texts)
    return texts
  }
}

type ReadSegment = (segment: string, texts: Map<string, string>) => void

function segmentReader(template: string): ReadSegment | undefined {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name ?? '')
  const [first, ...others] = names
  if (first === undefined) return undefined
  if (others.length === 0 && template === `{${first}}`) {
    return (segment, texts) => {
      if (segment !== '') texts.set(first, segment)
    }
  }
  const literals = template.split(/\{[^{}]+\}/).map((each) => each.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  const expression = new RegExp(`^${literals.join('(.+?)')}$`, 's')
  return (segment, texts) => {
    const values = expression.exec(segment)?.slice(1) ?? []
    for (const [index, value] of values.entries()) texts.set(names[index] ?? '', value)
  }
}
