import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The blocks of code in a Markdown file that are marked with a language, in order. */
export function readBlocks(file: string, language: string): string[] {
  const text = readFileSync(file, 'utf8')
  const blocks = text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))
  return [...blocks].map(([, code = '']) => code)
}

/** What a block of code showed, and what it says of that after `// →`. */
export interface BlockRun {
  readonly seen: unknown
  readonly expected: string
}

/**
 * Runs blocks of TypeScript that export `seen`, one after the other.
 * @param directory where the blocks are put while they run
 * @param names what the blocks import, with what stands for it, such as `{ 'sim-ontology': '../../src/index.ts' }`
 * @param load how tests import a file: `(file) => import(file)`. An import from here would be of an installed package,
 * whose files and what they import are not compiled
 */
export async function runBlocks(
  blocks: readonly string[],
  directory: string,
  names: Readonly<Record<string, string>>,
  load: (file: string) => Promise<unknown>,
): Promise<BlockRun[]> {
  const folder = mkdtempSync(join(directory, 'blocks-'))
  const runs: BlockRun[] = []
  try {
    for (const [index, code] of blocks.entries()) {
      const file = join(folder, `block-${index}.ts`)
      writeFileSync(file, renamed(code, names))
      const { seen } = (await load(file)) as { seen: unknown }
      runs.push({ seen, expected: /^\/\/ → (.*)$/m.exec(code)?.[1] ?? '' })
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  return runs
}

function renamed(code: string, names: Readonly<Record<string, string>>): string {
  return Object.entries(names).reduce((text, [name, path]) => text.replaceAll(`'${name}'`, `'${path}'`), code)
}
