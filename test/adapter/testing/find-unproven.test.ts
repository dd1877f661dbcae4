import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findUnproven } from 'sim-gateway/adapter/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createManifest, type SupportLevel } from 'sim-gateway/adapter'
import { notes } from '../notes-adapter.ts'

const folder = mkdtempSync(join(tmpdir(), 'sim-unproven-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(join(folder, 'test'))
writeFileSync(
  join(folder, 'test/a.test.ts'),
  `
describe('a group', () => {
  it('is plain', () => {})
  test("has \\"quotes\\" and \\'more\\'", () => {})
  it.for([['x', f(1)], [')', "it('not a title', "]] as const)('has a table of %s', () => {})
  it.each([1])(
    'has a table on lines of its own: %i',
    () => {},
  )
  it.concurrent('runs beside others', () => {})
  it.skip('is skipped', () => {})
  it.skipIf(true)('is skipped sometimes', () => {})
  it.todo('is still to do')
  it.fails('fails', () => {})
  // it('is a comment', () => {})
  /*
   it('is a comment too', () => {})
  */
  audit('is none of ours', () => {})
  \`it('is a text', \`
})
`,
)
writeFileSync(join(folder, 'test/b.test.ts'), `describe.skip('off', () => { it('is plain', () => {}) })`)

function unproven(tests: readonly string[], support: SupportLevel = 'exact') {
  const [operation] = notes.operations
  if (operation === undefined) throw new Error('no operation')
  return findUnproven(createManifest({ ...notes, operations: [{ ...operation, support, tests }] }), folder)
}

describe('the tests that a manifest names', () => {
  it.for([
    'is plain',
    `has "quotes" and 'more'`,
    'has a table of %s',
    'has a table on lines of its own: %i',
    'runs beside others',
  ])('are there: %s', (title) => {
    expect(unproven([`test/a.test.ts > ${title}`])).toEqual([])
  })

  it.for([
    'is skipped',
    'is skipped sometimes',
    'is still to do',
    'fails',
    'is a comment',
    'is a comment too',
    'is none of ours',
    'not a title',
    'a group',
    'is nowhere',
  ])('are not there: %s', (title) => {
    expect(unproven([`test/a.test.ts > ${title}`])).toEqual([
      {
        operationId: 'listNotes',
        test: `test/a.test.ts > ${title}`,
        reason: 'there is no such test, or it is skipped',
      },
    ])
  })

  it('are not there in a file that skips a group', () => {
    expect(unproven(['test/b.test.ts > is plain'])).toHaveLength(1)
  })

  it('have to name a file that is there', () => {
    expect(unproven(['test/c.test.ts > x', 'just a title']).map(({ reason }) => reason)).toEqual([
      'there is no file test/c.test.ts',
      'is not named as <file>.test.ts > <title>',
    ])
  })

  it('have to be some, unless the operation is unsupported', () => {
    expect(unproven([])).toMatchObject([{ reason: 'is said to be exact, but names no test' }])
    expect(unproven([], 'unsupported')).toEqual([])
  })
})
