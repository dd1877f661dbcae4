import { readFileSync } from 'node:fs'
import { violationText } from '../../engine/contract-violation.ts'
import { readFragment } from '../../engine/schema/pointer.ts'
import { junitSuite, testCase } from '../../recording/send/junit.ts'
import { readText, type ReadText } from '../import/library.ts'
import { linesOf } from '../import/problem.ts'
import type { CoverageReport, OperationCoverage } from './coverage-report.ts'
import { placesOf, type CoveredPlace } from './coverage-places.ts'

/** The report in the form of JUnit: a test for each operation, which fails with what is not as described. */
export function coverageJunit({ operations }: CoverageReport): string {
  const tests = operations.map(({ operation, requests, broken }) => {
    const failures = broken.map((each) => `${violationText(each)} (${each.count} times)`)
    const skipped = requests === 0 ? 'no request came for it' : undefined
    return testCase('contract', operation, failures.length === 0 ? undefined : failures, skipped)
  })
  const failed = operations.filter(({ broken }) => broken.length > 0).length
  return junitSuite('contract', tests, failed, operations.filter(({ requests }) => requests === 0).length)
}

/**
 * The report in the form of lcov: operations are functions, and the lines of operations, parameters, statuses, media
 * types and fields are counted as often as they were seen. Operations that are in no file are left out.
 */
export function coverageLcov({ operations }: CoverageReport): string {
  const files = new Map<string, Placed[]>()
  for (const operation of operations) {
    const place = readPlace(operation)
    if (place === undefined) continue
    files.set(place.file, [...(files.get(place.file) ?? []), place])
  }
  return [...files].map(([file, placed]) => recordOf(file, placed)).join('')
}

interface Placed {
  readonly operation: OperationCoverage
  readonly file: string
  readonly line: number
  readonly path: readonly string[]
}

function readPlace(operation: OperationCoverage): Placed | undefined {
  const [, file, line, pointer] = /^(.*):(\d+) #(.*)$/s.exec(operation.place ?? '') ?? []
  if (file === undefined || pointer === undefined) return undefined
  return { operation, file, line: Number(line), path: readFragment(pointer) }
}

function recordOf(file: string, placed: readonly Placed[]): string {
  const lines = new Map<number, number>()
  const add = (line: number, count: number): void => void lines.set(line, (lines.get(line) ?? 0) + count)
  for (const { line, operation } of placed) add(line, operation.requests)
  const source = sourceOf(file)
  if (source !== undefined) {
    const { text, value, format } = source
    const places = placed.flatMap(({ operation, path }): readonly CoveredPlace[] =>
      placesOf(value, path, operation),
    )
    const found = linesOf(
      { text, format },
      places.map(({ path }) => path),
    )
    for (const [index, line] of found.entries()) add(line, places[index]?.count ?? 0)
  }
  const counted = [...lines].toSorted(([a], [b]) => a - b)
  return [
    'TN:',
    `SF:${file}`,
    ...placed.map(({ line, operation }) => `FN:${line},${operation.operation}`),
    ...placed.map(({ operation }) => `FNDA:${operation.requests},${operation.operation}`),
    `FNF:${placed.length}`,
    `FNH:${placed.filter(({ operation }) => operation.requests > 0).length}`,
    ...counted.map(([line, count]) => `DA:${line},${count}`),
    `LF:${counted.length}`,
    `LH:${counted.filter(([, count]) => count > 0).length}`,
    'end_of_record',
    '',
  ].join('\n')
}

// The file may have gone or changed since it was loaded.
function sourceOf(file: string): (ReadText & { readonly text: string }) | undefined {
  try {
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
    return { ...readText(text, file), text }
  } catch {
    return undefined
  }
}
