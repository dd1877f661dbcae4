import type { AST } from '@eslint-community/regexpp'
import { areApart, rangesOf, type Range } from './char-ranges.ts'

/** A character of a pattern, and those that may follow it, each as often as there are ways to get there. */
interface Place {
  readonly ranges: readonly Range[]
  readonly next: Place[]
}

/** A part of a pattern: whether it may be empty, and where it may begin and end. */
interface Part {
  readonly isEmptiable: boolean
  readonly first: readonly Place[]
  readonly last: readonly Place[]
}

const MAX_PLACES = 200

/** A part of a pattern where the next character of a text always decides how to go on. */
interface Deterministic {
  /** How many characters it names. */
  readonly count: number
  /** Whether it can end at one place only, since nothing of it may follow what it ends with. */
  readonly endsOnce: boolean
}

/**
 * Whether the next character of a text always decides how a part of a pattern goes on: then whoever backtracks finds each
 * other way closed at once. `undefined` where it does not decide, or too many characters are named.
 */
export function readDeterministic(nodes: readonly AST.Element[]): Deterministic | undefined {
  const places: Place[] = []
  const whole = sequenceOf(nodes, places)
  if (whole === undefined || !isDecided(whole.first)) return undefined
  if (!places.every(({ next }) => isDecided(next))) return undefined
  const endsOnce = !whole.isEmptiable && whole.last.every(({ next }) => next.length === 0)
  return { count: places.length, endsOnce }
}

function isDecided(places: readonly Place[]): boolean {
  return places.every(({ ranges }, index) =>
    places.slice(index + 1).every((other) => areApart(ranges, other.ranges)),
  )
}

const EMPTY: Part = { isEmptiable: true, first: [], last: [] }

function partOf(node: AST.Element, places: Place[]): Part | undefined {
  switch (node.type) {
    case 'Group':
    case 'CapturingGroup':
      return choiceOf(node.alternatives, places)
    case 'Quantifier':
      return repeatedOf(node, places)
    case 'Assertion':
      return isShort(node) ? EMPTY : undefined
    case 'Character':
    case 'CharacterSet':
    case 'CharacterClass': {
      if (places.length === MAX_PLACES) return undefined
      const place = { ranges: rangesOf(node), next: [] }
      places.push(place)
      return { isEmptiable: false, first: [place], last: [place] }
    }
    default:
      return undefined
  }
}

// Whether it looks at few characters, in one way only.
function isShort(node: AST.Assertion): boolean {
  if (node.kind !== 'lookahead' && node.kind !== 'lookbehind') return true
  const elements = node.alternatives.flatMap((alternative) => alternative.elements)
  return elements.length <= MAX_LOOKED_AT && elements.every(({ type }) => type.startsWith('Character'))
}

const MAX_LOOKED_AT = 20

function sequenceOf(nodes: readonly AST.Element[], places: Place[]): Part | undefined {
  let all = EMPTY
  for (const node of nodes) {
    const part = partOf(node, places)
    if (part === undefined) return undefined
    for (const { next } of all.last) next.push(...part.first)
    all = {
      isEmptiable: all.isEmptiable && part.isEmptiable,
      first: all.isEmptiable ? [...all.first, ...part.first] : all.first,
      last: part.isEmptiable ? [...all.last, ...part.last] : part.last,
    }
  }
  return all
}

function choiceOf(alternatives: readonly AST.Alternative[], places: Place[]): Part | undefined {
  const parts: Part[] = []
  for (const { elements } of alternatives) {
    const part = sequenceOf(elements, places)
    if (part === undefined) return undefined
    parts.push(part)
  }
  // Several ways to match nothing multiply.
  if (parts.filter(({ isEmptiable }) => isEmptiable).length > 1) return undefined
  return {
    isEmptiable: parts.some(({ isEmptiable }) => isEmptiable),
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
  }
}

function repeatedOf({ element, min, max }: AST.Quantifier, places: Place[]): Part | undefined {
  if (max === 0) return EMPTY
  const part = partOf(element, places)
  if (part === undefined || max === 1) return part && { ...part, isEmptiable: part.isEmptiable || min === 0 }
  // What may repeat nothing, as often as one likes, is beyond this.
  if (part.isEmptiable) return undefined
  for (const { next } of part.last) next.push(...part.first)
  return { ...part, isEmptiable: min === 0 }
}
