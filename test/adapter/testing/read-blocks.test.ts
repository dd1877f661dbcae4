import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readBlocks, runBlocks } from 'sim-gateway/adapter/testing'
import { afterAll, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'sim-blocks-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'README.md')
writeFileSync(
  file,
  [
    '```yaml',
    'a: 1',
    '```',
    '```ts',
    `import { basename } from 'a-package'`,
    `export const seen = basename('a/b')`,
    '// → b',
    '```',
    '```ts',
    'export const seen = 2',
    '```',
    '',
  ].join('\n'),
)

const load = (path: string): Promise<unknown> => import(path)

it('blocks of a Markdown file are read by their language', () => {
  expect(readBlocks(file, 'yaml')).toEqual(['a: 1\n'])
  expect(readBlocks(file, 'ts')).toHaveLength(2)
  expect(readBlocks(file, 'toml')).toEqual([])
})

it('blocks are run with what stands for their packages, and leave nothing behind', async () => {
  const runs = await runBlocks(readBlocks(file, 'ts'), folder, { 'a-package': 'node:path' }, load)
  expect(runs).toEqual([
    { seen: 'b', expected: 'b' },
    { seen: 2, expected: '' },
  ])
  expect(readdirSync(folder)).toEqual(['README.md'])
})

it('blocks are imported as the tests import, since an installed package imports no TypeScript', async () => {
  const imported: string[] = []
  const [run] = await runBlocks(['export const seen = 1\n'], folder, {}, (path) => {
    imported.push(basename(path))
    return Promise.resolve({ seen: 2 })
  })
  expect(imported).toEqual(['block-0.ts'])
  expect(run).toEqual({ seen: 2, expected: '' })
})
