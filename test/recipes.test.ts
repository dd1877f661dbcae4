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

// Without the packages that some tests have of their own, and what their runs left.
function isOwn(path: string): boolean {
  return !/\/(node_modules|runs)$/.test(path)
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
      await cp(join(ROOT, name), join(copy, name), { recursive: true, filter: isOwn })
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
  }, 300_000)
  afterAll(() => rm(copy, { recursive: true }))

  it(
    'have tests that pass, and leave no page and no schema behind unnoticed',
    { timeout: 300_000 },
    async () => {
      const generated = ['test/docs/pages.test.ts', 'test/options/json-schema.test.ts']
      const tested = inCopy('node_modules/.bin/vitest', 'run', '--maxWorkers=1', ...generated, ...tests)
      const noticed = await tested.then(
        () => '',
        (error: Error) => error.message,
      )
      for (const name of ['options.md', 'cli.md', 'chaos.md', 'control-plane.md', 'published schema'])
        expect(noticed).toMatch(new RegExp(`FAIL .*${name}`))
      expect(tests.length).toBeGreaterThan(1)
      expect(noticed).toMatch(new RegExp(`Test Files .*\\D${tests.length} passed`))

      await inCopy('node_modules/.bin/jiti', 'config/generate.ts')
    },
  )

  it.for([
    ['config/sim.schema.json', '"server_name": {', '"blank": {', '"upperFrom": {'],
    ['docs/options.md', '| `serverName` | `--server-name` | a text | What the header server says |'],
    ['docs/cli.md', '| `sim draw-seed` | Print a seed to repeat runs with |', '| `--server-name` |'],
    ['docs/chaos.md', '| `blank` | answers without a body; `status`: '],
    ['docs/control-plane.md', '| `GET /__sim/seed` | The seed |'],
  ] as const)('make %s follow by itself', async ([file, ...texts]) => {
    const text = await readFile(join(copy, file), 'utf8')
    for (const each of texts) expect(text).toContain(each)
  })

  it('make a command and a flag that help lists, and links, keys and files that commands read', async () => {
    expect(await sim('--help')).toMatch(/^ +sim draw-seed +Print a seed/m)
    expect(await sim('proxy', '--help', 'all')).toMatch(
      /^ +--server-name +What the header server says +\[string\]/m,
    )
    const name = { type: 'string', 'x-sim-link': { upperFrom: 'name' } }
    const output = { type: 'object', properties: { name }, required: ['name'] }
    const route = { output, server_name: 'own' }
    await writeFile(join(copy, 'hello.json'), JSON.stringify({ routes: { 'GET /hello/{name}': route } }))
    await writeFile(join(copy, 'wrong.json'), JSON.stringify({ routes: { 'GET /a': { server_name: 1 } } }))
    await writeFile(join(copy, 'shop.paths'), '/users\n')
    expect(await sim('validate', 'hello.json')).toContain('OK: 1 route, 1 link')
    await expect(sim('validate', 'wrong.json')).rejects.toThrow('server_name: must be a text, not 1')
    expect(await sim('validate', 'shop.paths')).toContain('OK: 1 route')
  })

  it('make a fault and an operation that the command line and descriptions know', async () => {
    const schedule = ['chaos', 'schedule', '--route', 'GET /a', '--seed', '1', '--fault']
    expect(await sim(...schedule, 'blank:1')).toContain('blank')
    expect(await sim(...schedule, 'blank:1:204')).toContain('blank')
    await expect(sim(...schedule, 'blank:1:900')).rejects.toThrow("'blank:1:900' is not one")
    const printed = await inCopy(process.execPath, '--input-type=module', '-e', DESCRIBE)
    expect(printed).toContain('/__sim/seed')
    expect(printed).toContain('blank')
  })

  it('cannot be followed when the line that they name is gone', () => {
    const block = { text: '--- a.ts\n gone\n+added' } as Block
    expect(() => patch('here\n', block)).toThrow('a.ts:  gone')
    expect(patch('gone\nrest\n', block)).toBe('gone\nadded\nrest\n')
  })
})
