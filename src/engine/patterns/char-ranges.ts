import type { AST } from '@eslint-community/regexpp'

/** Characters from one code to another, both included. */
export type Range = readonly [from: number, to: number]

const LAST = 0x10ffff

/** Every character. */
export const ALL: readonly Range[] = [[0, LAST]]

/** The characters that one part of a pattern matches: at least those that it does, where it is not known which. */
export function rangesOf(node: AST.Character | AST.CharacterSet | AST.CharacterClass): readonly Range[] {
  if (node.type === 'Character') return [[node.value, node.value]]
  if (node.type === 'CharacterSet') return setOf(node) ?? ALL
  const parts = node.elements.map(elementOf)
  if (parts.includes(undefined)) return ALL
  const ranges = parts.flatMap((part) => part ?? [])
  return node.negate ? complementOf(ranges) : ranges
}

/** Whether no character is in both. */
export function areApart(some: readonly Range[], others: readonly Range[]): boolean {
  return some.every(([from, to]) => others.every(([first, last]) => last < from || to < first))
}

function elementOf(node: AST.CharacterClass['elements'][number]): readonly Range[] | undefined {
  if (node.type === 'Character') return [[node.value, node.value]]
  if (node.type === 'CharacterClassRange') return [[node.min.value, node.max.value]]
  return node.type === 'CharacterSet' ? setOf(node) : undefined
}

function setOf(node: AST.CharacterSet): readonly Range[] | undefined {
  if (node.kind === 'any') return complementOf(LINE_ENDS)
  if (node.kind === 'property') return undefined
  const ranges = SETS[node.kind]
  return node.negate ? complementOf(ranges) : ranges
}

function complementOf(ranges: readonly Range[]): readonly Range[] {
  const others: Range[] = []
  let next = 0
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from > next) others.push([next, from - 1])
    next = Math.max(next, to + 1)
  }
  return next > LAST ? others : [...others, [next, LAST]]
}

/** The characters that end a line (ECMA-262). */
export const LINE_ENDS: readonly Range[] = [
  [0xa, 0xa],
  [0xd, 0xd],
  [0x2028, 0x2029],
]

/** The characters of `\d`, `\w` and `\s` (ECMA-262). */
export const SETS: Readonly<Record<'digit' | 'word' | 'space', readonly Range[]>> = {
  digit: [[0x30, 0x39]],
  word: [
    [0x30, 0x39],
    [0x41, 0x5a],
    [0x5f, 0x5f],
    [0x61, 0x7a],
  ],
  space: [
    [0x9, 0xd],
    ...[0x20, 0xa0, 0x1680].map((code): Range => [code, code]),
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    ...[0x202f, 0x205f, 0x3000, 0xfeff].map((code): Range => [code, code]),
  ],
}
