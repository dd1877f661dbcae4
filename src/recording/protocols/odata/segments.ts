import { decodeSegment } from '../../../routing/path-template.ts'

/** Segments of a path below the root, decoded; brackets with nothing in them are none. */
export function segmentsBelow(path: string): readonly string[] {
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decodeSegment(segment).replace(/\(\)$/, ''))
}

/** The name of a segment, without the key in its brackets. */
export function headOf(segment: string | undefined): string {
  return (segment ?? '').replace(/\(.*$/s, '')
}

/** What stands in the brackets of a segment. */
export function keyIn(segment: string | undefined): string | undefined {
  return /^[^(]*\((.+)\)$/s.exec(segment ?? '')?.[1]
}
