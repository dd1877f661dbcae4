import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readBlocks, type Block } from './docs/markdown.ts'

const ROOT = resolve(import.meta.dirname, '..')
const COPIED = ['src', 'plugins', 'examples', 'config', 'docs', 'test', 'package.json', 'tsconfig.json']
const run = promisify(execFile)

/** What the recipes of CONTRIBUTING.md tell a reader to write. */
const blocks = readBlocks('CONTRIBUTING.md', await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))
const files = blocks.filter(({ language, text }) => language === 'ts' && text.startsWith('// '))
const changes = blocks.filter(({ language }) => language === 'diff')
const tests = files.map(pathOf).filter((path) => path.startsWith('test/'))

function pathOf({ text }: Block): string {
  return /^(?:\/\/|---) (\S+)\n/.exec(text)?.[1] ?? ''
}

/** Puts the lines with a plus behind the line before them. @throws Error when that line is not there, once */
function patch(source: string, { text }: Block): string {
  let [at, patched] = [0, source]
  for (const line of text.split('\n').slice(1)) {
    const [sign, content] = [line[0] ?? ' ', `${line.slice(1)}\n`]
    if (sign === '+') patched = patched.slice(0, at) + content + patched.slice(at)
    else if (patched.split(content).length !== 2) throw new Error(`${pathOf({ text } as Block)}: ${line}`)
    else at = patched.indexOf(content)
    at += content.length
  }
  return patched
}

describe('the recipes of CONTRIBUTING.md', () => {
  let copy: string
  const inCopy = async (command: string, ...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run(command, args, { cwd: copy, maxBuffer: 2 ** 24 }).catch(
      (error: Error & { readonly stdout: string }) => {
        throw new Error(`${error.message}\n${error.stdout}`)
      },
    )
    return stdout + stderr
  }
  const sim = (...args: string[]): Promise<string> =>
    inCopy(process.execPath, join(copy, 'dist/src/cli/main.js'), ...args)

  beforeAll(async () => {
    copy = await realpath(await mkdtemp(join(tmpdir(), 'sim-recipes-')))
    for (const name of [...COPIED, 'vitest.config.ts'])
      await cp(join(ROOT, name), join(copy, name), { recursive: true })
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'))

    for (const block of files) {
      await mkdir(join(copy, dirname(pathOf(block))), { recursive: true })
      await writeFile(join(copy, pathOf(block)), `${block.text}\n`)
    }
    for (const block of changes) {
      const file = join(copy, pathOf(block))
      await writeFile(file, patch(await readFile(file, 'utf8'), block))
    }
    await inCopy('node_modules/.bin/tsc', '-p', 'config/tsconfig.build.json')
  }, 120_000)
  afterAll(() => rm(copy, { recursive: true }))

  it('have tests that pass', { timeout: 120_000 }, async () => {
    expect(tests.length).toBeGreaterThan(1)
    const printed = await inCopy('node_modules/.bin/vitest', 'run', '--maxWorkers=1', ...tests)
    expect(printed).toMatch(new RegExp(`Test Files .*${tests.length} passed`))
  })

  it('make a command that help lists', async () => {
    expect(await sim('--help')).toMatch(/^ +sim draw-seed +Print a seed/m)
  })

  it('make a link that data files know', async () => {
    const name = { type: 'string', 'x-sim-link': { upperFrom: 'name' } }
    const output = { type: 'object', properties: { name }, required: ['name'] }
    await writeFile(join(copy, 'hello.json'), JSON.stringify({ routes: { 'GET /hello/{name}': { output } } }))
    expect(await sim('validate', 'hello.json')).toContain('OK: 1 route, 1 link')
  })

  it('cannot be followed when the line that they name is gone', () => {
    const block = { text: '--- a.ts\n gone\n+added' } as Block
    expect(() => patch('here\n', block)).toThrow('a.ts:  gone')
    expect(patch('gone\nrest\n', block)).toBe('gone\nadded\nrest\n')
  })
})
