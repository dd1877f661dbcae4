import { oneOf, TEXTS, type Option } from '../../pipeline/option.ts'
import type { DriftReport } from '../../recording/drift/drift-log.ts'
import { createGlob, type Glob } from '../../routing/glob.ts'
import { isAtLeast, SEVERITIES, type Severity } from '../../shape/finding.ts'

/** Which differences count, and which of them make a command fail. */
export interface DifferenceFlags {
  readonly failOn: Severity | 'never' | undefined
  readonly ignore: readonly string[]
}

/** The flags of commands that report differences. */
export const DIFFERENCE_FLAGS: Readonly<Record<keyof DifferenceFlags, Option>> = {
  failOn: {
    ...oneOf([...SEVERITIES, 'never']),
    flag: {
      name: 'fail-on',
      describe: 'End with 1 if anything differs as badly as this, or worse',
      otherwise: 'additive',
    },
  },
  ignore: {
    ...TEXTS,
    flag: {
      name: 'ignore',
      describe: 'JSON pointers whose differences do not count; * and ** are any',
      requiresArg: true,
    },
  },
}

/** Whether a text fits any of some globs. */
export function anyOf(patterns: readonly string[]): Glob {
  const globs = patterns.map(createGlob)
  return (text) => globs.some((fits) => fits(text))
}

/** How many of the differences make a command fail. */
export function countFailing({ severities }: DriftReport, failOn: Severity | 'never' = 'additive'): number {
  if (failOn === 'never') return 0
  const counted = SEVERITIES.filter((severity) => isAtLeast(severity, failOn))
  return counted.reduce((sum, severity) => sum + severities[severity], 0)
}
