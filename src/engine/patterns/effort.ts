import type { AST } from '@eslint-community/regexpp'
import { readDeterministic } from './determinism.ts'

/** A bound for texts of n characters: `factor * n ** degree`. */
interface Bound {
  readonly factor: number
  readonly degree: number
}

/** What a search that backtracks does at one place: its steps, and in how many ways it may go on after them. */
interface Effort {
  readonly steps: Bound
  readonly ways: Bound
}

/** The most steps that a search may take for each character of a text, or in all for a short one. */
const MAX_STEPS = 200
const MAX_STEPS_IN_ALL = 20_000

/** The length of the longest text in which a search that backtracks is sure to take few steps. */
export function longestFor(pattern: AST.Pattern): number {
  const { steps } = effortOf(pattern)
  const { factor, degree } = isAnchored(pattern) ? steps : times(steps, LINEAR)
  const isFew = degree === 0 ? factor <= MAX_STEPS_IN_ALL : degree === 1 && factor <= MAX_STEPS
  if (isFew) return Infinity
  const longest = Math.floor((MAX_STEPS_IN_ALL / factor) ** (1 / degree))
  return degree > 0 && longest >= 1 ? longest : 0
}

const CONSTANT: Bound = { factor: 1, degree: 0 }
const LINEAR: Bound = { factor: 1, degree: 1 }
const ENDLESS: Bound = { factor: Infinity, degree: 1 }
const ONE: Effort = { steps: CONSTANT, ways: CONSTANT }

function plus(a: Bound, b: Bound): Bound {
  return { factor: a.factor + b.factor, degree: Math.max(a.degree, b.degree) }
}

function times(a: Bound, b: Bound): Bound {
  return { factor: a.factor * b.factor, degree: a.degree + b.degree }
}

// Whether a search begins nowhere but at the start of the text.
function isAnchored({ alternatives }: Pick<AST.Pattern, 'alternatives'>): boolean {
  return alternatives.every(({ elements: [first] }) => {
    if (first?.type === 'Assertion') return first.kind === 'start'
    return (first?.type === 'Group' || first?.type === 'CapturingGroup') && isAnchored(first)
  })
}

function effortOf(node: AST.Pattern | AST.Alternative | AST.Element): Effort {
  switch (node.type) {
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.map(effortOf).reduce((all, each) => ({
        steps: plus(all.steps, each.steps),
        ways: plus(all.ways, each.ways),
      }))
    case 'Alternative':
      return sequenceOf(node.elements)
    case 'Quantifier':
      return repeatedOf(node)
    case 'Assertion':
      // Whoever looks around does not come back for another way of it.
      if (node.kind !== 'lookahead' && node.kind !== 'lookbehind') return ONE
      return { steps: node.alternatives.map((each) => effortOf(each).steps).reduce(plus), ways: CONSTANT }
    case 'Backreference':
      return { steps: LINEAR, ways: CONSTANT }
    default:
      return ONE
  }
}

function sequenceOf(elements: readonly AST.Element[]): Effort {
  const tried = effortsOf(elements).reduce(
    (all, each) => ({
      steps: plus(all.steps, times(all.ways, each.steps)),
      ways: times(all.ways, each.ways),
    }),
    ONE,
  )
  if (isSmall(tried)) return tried
  const begin = elements.findIndex(({ type }) => type !== 'Assertion')
  const decided = begin === -1 ? undefined : decidedOf(elements.slice(begin))
  if (decided === undefined) return tried
  const before = elements.slice(0, begin).map((each) => effortOf(each).steps)
  const known = { steps: before.reduce(plus, decided.steps), ways: decided.ways }
  return isLess(known.steps, tried.steps) ? known : tried
}

// Of what repeats together with what ends it, since that ends at one place: `[^@]+@`.
function effortsOf(elements: readonly AST.Element[]): readonly Effort[] {
  const efforts: Effort[] = []
  for (let index = 0; index < elements.length; index++) {
    const element = elements[index] as AST.Element
    const own = effortOf(element)
    const next = elements[index + 1]
    const pair = own.ways.degree === 0 || next === undefined ? undefined : decidedOf([element, next])
    const isPair = pair?.ways === CONSTANT
    efforts.push(isPair ? pair : own)
    if (isPair) index++
  }
  return efforts
}

function repeatedOf(node: AST.Quantifier): Effort {
  const { element, min, max } = node
  const { steps, ways } = effortOf(element)
  // The sum for each number of repeats is at most this.
  const many = max === 0 ? CONSTANT : { factor: ways.factor ** max, degree: ways.degree * max }
  const tried: Effort =
    max === Infinity
      ? { steps: ENDLESS, ways: ENDLESS }
      : {
          steps: times(times(steps, many), { factor: Math.max(1, max), degree: 0 }),
          ways: times(many, { factor: max - min + 1, degree: 0 }),
        }
  if (isSmall(tried)) return tried
  return decidedOf([node]) ?? tried
}

// At each place of the text there is at most one way to have come there.
function decidedOf(elements: readonly AST.Element[]): Effort | undefined {
  const read = readDeterministic(elements)
  if (read === undefined) return undefined
  return { steps: { factor: read.count, degree: 1 }, ways: read.endsOnce ? CONSTANT : LINEAR }
}

function isSmall({ steps }: Effort): boolean {
  return steps.degree === 0 && steps.factor <= MAX_STEPS
}

function isLess(a: Bound, b: Bound): boolean {
  return a.degree < b.degree || (a.degree === b.degree && a.factor < b.factor)
}
