import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../manifest.ts'

// A test's name with its modifiers, up to the parenthesis of its title or its table.
const CALL = /(?<![\w.'"`])(?:it|test)((?:\.\w+(?:\([^()]*\))?)*?)(\.(?:each|for))?\s*\(/g
const TITLE = /\s*(?:\(\s*)?(['"`])((?:\\.|(?!\1)[^\\])*)\1/sy
const NOT_RUN = /\.(?:skip|todo|fails|skipIf|runIf)\b/
const SKIPPED_GROUP = /(?<![\w.'"`])describe(?:\.\w+)*\.(?:skip|todo|skipIf|runIf)\b/
const COMMENTED = /^[ \t]*(?:\/\/.*$|\/\*[\s\S]*?\*\/)/gm

/**
 * The titles of the tests in a file that are run, as they are written; `undefined` when there is no such file.
 * What skips a group of tests leaves none of its file to rely on.
 */
export function readTitles(file: string): ReadonlySet<string> | undefined {
  if (!existsSync(file)) return undefined
  const source = readFileSync(file, 'utf8').replace(COMMENTED, '')
  return SKIPPED_GROUP.test(source) ? new Set() : new Set(titlesIn(source))
}

function* titlesIn(source: string): Generator<string> {
  for (const match of source.matchAll(CALL)) {
    const [whole, modifiers = '', table] = match
    const end = match.index + whole.length
    TITLE.lastIndex = table === undefined ? end : endOfCall(source, end)
    const title = TITLE.exec(source)?.[2]
    if (title !== undefined && !NOT_RUN.test(modifiers)) yield title.replace(/\\(.)/gs, '$1')
  }
}

const PIECE = /(['"`])(?:\\.|(?!\1)[^\\])*\1?|[()]/gs

// Where the arguments of a call end; parentheses in texts do not count.
function endOfCall(source: string, from: number): number {
  PIECE.lastIndex = from
  let open = 1
  for (let piece = PIECE.exec(source); piece !== null; piece = PIECE.exec(source)) {
    if (piece[0] === '(') open++
    else if (piece[0] === ')' && --open === 0) return PIECE.lastIndex
  }
  return source.length
}

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
