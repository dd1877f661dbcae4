import { decodeSegment } from '../../routing/path-template.ts'

/** A key as a JSON pointer has it (RFC 6901). */
export function escapeKey(key: string | number): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The key that a part of a JSON pointer stands for. */
export function unescapeKey(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The JSON pointer that these keys and indexes make. */
export function pointerTo(path: readonly (string | number)[]): string {
  return path.map((key) => `/${escapeKey(key)}`).join('')
}

/** The JSON pointer to a member or an item of what another one points to. */
export function pointerBelow(pointer: string, key: string | number): string {
  return `${pointer}/${escapeKey(key)}`
}

/** The keys of a JSON pointer. */
export function readPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescapeKey)
}

/** The keys of a JSON pointer that is percent-encoded, as after the `#` of a reference. */
export function readFragment(fragment: string): string[] {
  return fragment
    .split('/')
    .slice(1)
    .map((part) => unescapeKey(decodeSegment(part)))
}
