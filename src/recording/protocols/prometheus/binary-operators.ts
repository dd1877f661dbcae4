import { entriesOf, type Entry, keyOf, onlyLabels, type Value, withoutLabels, withoutName } from './values.ts'
import type { Binary, Labels } from './promql-types.ts'
import { Refusal } from './refusal.ts'

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '^': (a, b) => a ** b,
  atan2: Math.atan2,
}
const COMPARING: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
}

/** What an operator makes of two values. @throws Refusal for one that is not known, or where many match many */
export function combined(binary: Binary, left: Value, right: Value): Value {
  const { operator } = binary
  if (left.type === 'scalar' && right.type === 'scalar')
    return { type: 'scalar', value: resultOf(binary, left.value, right.value, true) ?? NaN }
  if (operator === 'and' || operator === 'or' || operator === 'unless')
    return { type: 'vector', entries: ofSets(binary, entriesOf(left), entriesOf(right)) }
  if (left.type === 'scalar' || right.type === 'scalar') {
    const isLeft = left.type === 'scalar'
    const number = isLeft ? left.value : right.type === 'scalar' ? right.value : NaN
    const entries = entriesOf(isLeft ? right : left).flatMap((entry) => {
      const [a, b] = isLeft ? [number, entry.value] : [entry.value, number]
      return withResult(binary, entry, resultOf(binary, a, b, false), entry.value)
    })
    return { type: 'vector', entries }
  }
  return { type: 'vector', entries: matched(binary, entriesOf(left), entriesOf(right)) }
}

// Of a comparison that filters, `undefined` for what does not pass.
function resultOf(
  { operator, isBool }: Binary,
  a: number,
  b: number,
  areScalars: boolean,
): number | undefined {
  const calculate = ARITHMETIC[operator]
  if (calculate !== undefined) return calculate(a, b)
  const compare = COMPARING[operator]
  if (compare === undefined) throw new Refusal('unknown')
  const passes = compare(a, b)
  if (isBool || areScalars) return Number(passes)
  return passes ? a : undefined
}

function withResult(
  { operator, isBool }: Binary,
  { metric }: Entry,
  result: number | undefined,
  kept: number,
): readonly Entry[] {
  if (result === undefined) return []
  const isFilter = COMPARING[operator] !== undefined && !isBool
  return [isFilter ? { metric, value: kept } : { metric: withoutName(metric), value: result }]
}

function signatureOf({ on, ignoring }: Binary, metric: Labels): string {
  return keyOf(on === undefined ? withoutLabels(metric, [...ignoring, '__name__']) : onlyLabels(metric, on))
}

function ofSets(binary: Binary, left: readonly Entry[], right: readonly Entry[]): readonly Entry[] {
  const found = new Set(right.map(({ metric }) => signatureOf(binary, metric)))
  const isFound = ({ metric }: Entry): boolean => found.has(signatureOf(binary, metric))
  if (binary.operator === 'and') return left.filter(isFound)
  if (binary.operator === 'unless') return left.filter((entry) => !isFound(entry))
  const own = new Set(left.map(({ metric }) => signatureOf(binary, metric)))
  return [...left, ...right.filter(({ metric }) => !own.has(signatureOf(binary, metric)))]
}

function matched(binary: Binary, left: readonly Entry[], right: readonly Entry[]): readonly Entry[] {
  const isRight = binary.many === 'right'
  const [many, one] = isRight ? [right, left] : [left, right]
  const ones = new Map<string, Entry>()
  for (const entry of one) {
    const signature = signatureOf(binary, entry.metric)
    if (ones.has(signature)) throw new Refusal('manyToMany', { side: isRight ? 'left' : 'right' })
    ones.set(signature, entry)
  }
  const taken = new Set<string>()
  return many.flatMap((entry) => {
    const signature = signatureOf(binary, entry.metric)
    const other = ones.get(signature)
    if (other === undefined) return []
    if (binary.many === undefined && taken.has(signature)) throw new Refusal('manyToOne')
    taken.add(signature)
    const [a, b] = isRight ? [other, entry] : [entry, other]
    const shown = withResult(binary, entry, resultOf(binary, a.value, b.value, false), a.value)
    return shown.map(({ metric, value }) => ({ metric: labelsFor(binary, metric, other.metric), value }))
  })
}

// One to one, only labels that match are left.
function labelsFor({ on, ignoring, many, includes }: Binary, metric: Labels, other: Labels): Labels {
  if (many !== undefined) return { ...metric, ...onlyLabels(other, includes) }
  return on === undefined ? withoutLabels(metric, ignoring) : onlyLabels(metric, [...on, '__name__'])
}
