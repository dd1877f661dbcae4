import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const TABLE = readFileSync(resolve(import.meta.dirname, 'core.md'), 'utf8')

interface Statement {
  readonly number: number
  readonly text: string
  readonly proofs: readonly { readonly file: string; readonly title: string }[]
}

function readStatements(table: string): readonly Statement[] {
  const rows = [...table.matchAll(/^\| (\d+) \| (.+?) \| (.+) \|$/gm)]
  return rows.map(([, number, text = '', proofs = '']) => ({
    number: Number(number),
    text,
    proofs: proofs.split('<br>').map((proof) => {
      const [file = '', title = ''] = proof.split(' › ').map((part) => part.replaceAll('`', '').trim())
      return { file, title }
    }),
  }))
}

const titles = new Map<string, string>()

// A test is named where its title stands as the first argument of `it` or after the table of `it.for`.
function isTest(file: string, title: string): boolean {
  const path = resolve(ROOT, file)
  if (!existsSync(path)) return false
  const source = titles.get(path) ?? readFileSync(path, 'utf8')
  titles.set(path, source)
  const found = source.indexOf(`(\`${title}`) >= 0 ? `(\`${title}` : `'${title}`
  const at = source.indexOf(found)
  return at >= 0 && /\b(it|test)\b/.test(source.slice(0, at))
}

describe('the specification of the core', () => {
  const statements = readStatements(TABLE)
  const [, announced] = /(\d+) statements/.exec(TABLE) ?? []

  it('has every statement in the table, numbered without a gap', () => {
    expect(statements.map(({ number }) => number)).toEqual(statements.map((_, index) => index + 1))
    expect(statements.length).toBe(Number(announced))
    expect(statements.length).toBeGreaterThan(90)
  })

  it('says each statement once', () => {
    const texts = statements.map(({ text }) => text)
    expect(texts).toEqual([...new Set(texts)])
  })

  it('names for each statement only tests that exist', () => {
    const missing = statements.flatMap(({ number, proofs }) =>
      proofs
        .filter(({ file, title }) => !isTest(file, title))
        .map(({ file, title }) => `${number}: ${file} › ${title}`),
    )
    expect(missing).toEqual([])
  })

  it('would notice a test that does not exist', () => {
    expect(isTest('test/api.test.ts', 'refuses a second route for a method and path')).toBe(true)
    expect(isTest('test/api.test.ts', 'is not the title of a test')).toBe(false)
    expect(isTest('test/nowhere.test.ts', 'refuses a second route for a method and path')).toBe(false)
  })
})
