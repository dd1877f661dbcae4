import { remembered } from '../../../engine/lazy.ts'
import { compareTexts } from '../../../grouping.ts'
import type { Labels, Point, Select } from './promql-types.ts'
import { Refusal } from './refusal.ts'

/** One value of an instant vector. */
export interface Entry {
  readonly metric: Labels
  readonly value: number
}

/** One series of a range vector. */
export interface Row {
  readonly metric: Labels
  readonly points: readonly Point[]
}

/** What an expression comes to. */
export type Value =
  | { readonly type: 'scalar'; readonly value: number }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'vector'; readonly entries: readonly Entry[] }
  | { readonly type: 'matrix'; readonly rows: readonly Row[]; readonly seconds: number }

/** The series that there are. */
export interface Source {
  /** Those of a selector as they are at a time. */
  at(select: Select, time: number): readonly Entry[]
  /** The same with all that they were in so many seconds before. */
  within(select: Select, time: number, seconds: number): readonly Row[]
  /** Counts what a query takes. @throws Refusal once it is too much */
  spend(samples: number): void
}

/** The value of a label; empty for one that is not there. */
export function labelOf(metric: Labels, label: string): string {
  return Object.hasOwn(metric, label) ? (metric[label] ?? '') : ''
}

/** The entries of a vector; a scalar is one without labels. */
export function entriesOf(value: Value): readonly Entry[] {
  if (value.type === 'vector') return value.entries
  if (value.type === 'scalar') return [{ metric: {}, value: value.value }]
  throw new Refusal('unknown')
}

/** Equal for the same labels. */
export const keyOf = remembered(
  (metric: Labels) => JSON.stringify(Object.entries(metric).toSorted(([a], [b]) => compareTexts(a, b))),
  new WeakMap<Labels, string>(),
)

/** Labels without some. */
export function withoutLabels(metric: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(metric).filter(([name]) => !names.includes(name)))
}

/** Labels without the name of their metric: the same object for the same labels, since each step of a range asks for it. */
export const withoutName = remembered(
  (metric: Labels) => withoutLabels(metric, ['__name__']),
  new WeakMap<Labels, Labels>(),
)

/** Only some of the labels. */
export function onlyLabels(metric: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(Object.entries(metric).filter(([name]) => names.includes(name)))
}

/** A number as Prometheus writes it: without an exponent. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  const text = String(value)
  if (!text.includes('e')) return text
  const [digits = '', exponent = '0'] = text.split('e')
  return Number(exponent) > 0
    ? BigInt(value).toString()
    : value.toFixed(Math.min(100, digits.length - Number(exponent)))
}

/** What a text of such a number says. */
export function numberIn(text: unknown): number {
  const plain = String(text)
  if (/^[+-]?Inf$/.test(plain)) return plain.startsWith('-') ? -Infinity : Infinity
  return Number(plain)
}
