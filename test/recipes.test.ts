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

/** What the recipes of CONTRIBUTING.md have a reader write. */
const blocks = readBlocks('CONTRIBUTING.md', await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8'))
const files = blocks.filter(({ language, text }) => language === 'ts' && text.startsWith('// '))
const changes = blocks.filter(({ language }) => language === 'diff')
const tests = files.map(pathOf).filter((path) => path.startsWith('test/'))

function pathOf({ text }: Block): string {
  return /^(?:\/\/|---) (\S+)\n/.exec(text)?.[1] ?? ''
}

/** A file after a change, whose lines without a plus say where it is. @throws Error when one is not there, or twice */
function patch(source: string, block: Block): string {
  let [at, patched] = [0, source]
  for (const line of block.text.split('\n').slice(1)) {
    const [sign, content] = [line[0], `${line.slice(1)}\n`]
    if (sign === '+') patched = patched.slice(0, at) + content + patched.slice(at)
    else if (patched.split(content).length === 2) at = patched.indexOf(content)
    else throw new Error(`${pathOf(block)}: ${line}`)
    if (sign === '-') patched = patched.slice(0, at) + patched.slice(at + content.length)
    else at += content.length
  }
  return patched
}

/** Prints what the control plane of a gateway is described by. */
const DESCRIBE = `
  const { createGateway } = await import('./dist/src/index.js')
  console.log((await createGateway().inject('/__sim/openapi.json')).body)
  process.exit()`

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

  it('make a command that help lists, and a link and a kind of file that commands know', async () => {
    expect(await sim('--help')).toMatch(/^ +sim draw-seed +Print a seed/m)
    const name = { type: 'string', 'x-sim-link': { upperFrom: 'name' } }
    const output = { type: 'object', properties: { name }, required: ['name'] }
    await writeFile(join(copy, 'hello.json'), JSON.stringify({ routes: { 'GET /hello/{name}': { output } } }))
    await writeFile(join(copy, 'shop.paths'), '/users\n')
    expect(await sim('validate', 'hello.json')).toContain('OK: 1 route, 1 link')
    expect(await sim('validate', 'shop.paths')).toContain('OK: 1 route')
  })

  it('make a fault that the command line, the schema of config files and descriptions know', async () => {
    await inCopy('node_modules/.bin/jiti', 'config/generate.ts')
    expect(await readFile(join(copy, 'config/sim.schema.json'), 'utf8')).toContain('"blank": {')
    expect(
      await sim('chaos', 'schedule', '--route', 'GET /a', '--fault', 'blank:1', '--seed', '1'),
    ).toContain('blank')
    const printed = await inCopy(process.execPath, '--input-type=module', '-e', DESCRIBE)
    expect(printed).toContain('/__sim/seed')
    expect(printed).toContain('blank')
  })

  it('leave no table of a page behind unnoticed', { timeout: 120_000 }, async () => {
    const reference = inCopy('node_modules/.bin/vitest', 'run', 'test/docs/gateway-reference.test.ts')
    const noticed = await reference.then(
      () => '',
      (error: Error) => error.message,
    )
    expect(noticed).toContain('"blank"')
    expect(noticed).toContain('GET /__sim/seed')
  })

  it('cannot be followed when the line that they name is gone', () => {
    const block = { text: '--- a.ts\n gone\n+added' } as Block
    expect(() => patch('here\n', block)).toThrow('a.ts:  gone')
    expect(patch('gone\nrest\n', block)).toBe('gone\nadded\nrest\n')
  })
})
