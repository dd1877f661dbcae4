import { join } from 'node:path'
import type { Manifest } from '../manifest.ts'
import { readTitles } from './read-titles.ts'

/** A test that a manifest names, and why it proves nothing. */
export interface Unproven {
  readonly operationId: string
  readonly test: string
  readonly reason: string
}

const FORM = /^(\S+\.test\.ts) > (.+)$/

/**
 * The tests that a manifest names and that are not there, or that are skipped; and operations that are said to be
 * implemented and name none. A test is named `test/items.test.ts > pages through items`: the file below the package's
 * directory, and the title of the `it` or `test` as it is written there.
 */
export function findUnproven({ operations }: Pick<Manifest, 'operations'>, directory: string): Unproven[] {
  const titles = new Map<string, ReadonlySet<string> | undefined>()
  const titlesOf = (file: string): ReadonlySet<string> | undefined => {
    if (!titles.has(file)) titles.set(file, readTitles(join(directory, file)))
    return titles.get(file)
  }
  const reasonAgainst = (test: string): string | undefined => {
    const [, file = '', title = ''] = FORM.exec(test) ?? []
    if (file === '') return 'is not named as <file>.test.ts > <title>'
    const known = titlesOf(file)
    if (known === undefined) return `there is no file ${file}`
    return known.has(title) ? undefined : 'there is no such test, or it is skipped'
  }
  return operations.flatMap(({ operationId, supportLevel, tests }): Unproven[] => {
    if (tests.length === 0 && supportLevel !== 'unsupported')
      return [{ operationId, test: '', reason: `is said to be ${supportLevel}, but names no test` }]
    return tests.flatMap((test) => {
      const reason = reasonAgainst(test)
      return reason === undefined ? [] : [{ operationId, test, reason }]
    })
  })
}
