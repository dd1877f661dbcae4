import { finding, type Finding } from './finding.ts'

const WEIGHTS = { breaking: 100, warning: 10, additive: 1 }
/** A constant, such as that of a discriminator, tells forms apart better than their fields do. */
const OF_ANOTHER_KIND = 10_000

/**
 * Of what differs from each of several forms, that of the form that was meant: one of the same type, and among those
 * the one that differs least.
 */
export function nearestForm(
  all: readonly (readonly Finding[])[],
  value: unknown,
  pointer: string,
): readonly Finding[] {
  const isOther = (found: readonly Finding[]): boolean =>
    found.some((each) => each.pointer === pointer && isOfType(each))
  if (value === null && all.every(isOther)) return [finding('newly null', pointer, 'a value', 'null')]
  const alike = all.filter((found) => !isOther(found))
  const candidates = (alike.length > 0 ? alike : all).toSorted((a, b) => weightOf(a) - weightOf(b))
  return candidates[0] ?? []
}

function isOfType({ change }: Finding): boolean {
  return change === 'type changed' || change === 'newly null'
}

function weightOf(findings: readonly Finding[]): number {
  return findings.reduce(
    (sum, found) => sum + (isConstant(found) ? OF_ANOTHER_KIND : WEIGHTS[found.severity]),
    0,
  )
}

function isConstant({ change, expected }: Finding): boolean {
  return change === 'new enum value' && !expected.includes(', ')
}
