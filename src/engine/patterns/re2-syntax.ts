import type { AST } from '@eslint-community/regexpp'
import { LINE_ENDS, SETS, type Range } from './char-ranges.ts'

/**
 * An ECMA-262 pattern as RE2 writes the same.
 * @throws Error for what RE2 has nothing for
 */
export function toRe2(node: AST.Pattern): string {
  return choice(node.alternatives)
}

function choice(alternatives: readonly AST.Alternative[]): string {
  return alternatives.map(({ elements }) => elements.map(write).join('')).join('|')
}

function write(node: AST.Element): string {
  switch (node.type) {
    case 'Group':
      if (node.modifiers !== null) break
      return `(?:${choice(node.alternatives)})`
    case 'CapturingGroup':
      return `(?:${choice(node.alternatives)})`
    case 'Quantifier': {
      const { element, min, max, greedy } = node
      return `(?:${write(element)}){${min},${max === Infinity ? '' : max}}${greedy ? '' : '?'}`
    }
    case 'Assertion':
      if (node.kind === 'start') return String.raw`\A`
      if (node.kind === 'end') return String.raw`\z`
      if (node.kind === 'word') return node.negate ? String.raw`\B` : String.raw`\b`
      break
    case 'Character':
      return character(node.value)
    case 'CharacterSet':
      return node.kind === 'any' ? `[^${ranges(LINE_ENDS)}]` : `[${set(node)}]`
    case 'CharacterClass':
      return characterClass(node)
    default:
  }
  throw new Error(`'${node.raw}' has no counterpart in RE2`)
}

function characterClass({ elements, negate }: AST.CharacterClass): string {
  if (elements.length === 0) return negate ? '(?s:.)' : String.raw`[^\x{0}-\x{10ffff}]`
  const parts = elements.map((element) => {
    if (element.type === 'Character') return character(element.value)
    if (element.type === 'CharacterClassRange')
      return `${character(element.min.value)}-${character(element.max.value)}`
    if (element.type === 'CharacterSet') return set(element)
    throw new Error(`'${element.raw}' has no counterpart in RE2`)
  })
  return `[${negate ? '^' : ''}${parts.join('')}]`
}

// What stands between the brackets of a class.
function set(node: AST.CharacterSet): string {
  if (node.kind === 'any') return ranges(LINE_ENDS)
  if (node.kind !== 'property') return ranges(node.negate ? OTHERS[node.kind] : SETS[node.kind])
  const { key, value, negate } = node
  return `\\${negate ? 'P' : 'p'}{${value ?? key}}`
}

const OTHERS: typeof SETS = {
  digit: othersOf(SETS.digit),
  word: othersOf(SETS.word),
  space: othersOf(SETS.space),
}

function othersOf(taken: readonly Range[]): readonly Range[] {
  const starts = [0, ...taken.map(([, to]) => to + 1)]
  const ends = [...taken.map(([from]) => from - 1), 0x10ffff]
  return starts.map((start, index): Range => [start, ends[index] ?? 0]).filter(([from, to]) => from <= to)
}

function ranges(all: readonly Range[]): string {
  return all.map(([from, to]) => `${character(from)}-${character(to)}`).join('')
}

function character(code: number): string {
  return String.raw`\x{${code.toString(16)}}`
}
