import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runSim } from '../flow/sim-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { simHere } from './run-in-process.ts'

const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
  version: string
}

describe('the command line', () => {
  it.for([['--version'], ['-v']] as const)('prints its version with %s', async ([flag]) => {
    expect(await simHere(flag)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  it('lists every command and examples with --help', async () => {
    const { code, stdout } = await simHere('--help')
    expect(code).toBe(0)
    for (const command of ['run <target>', 'proxy', 'validate <target>', 'init [directory]', 'export']) {
      expect(stdout).toContain(`  sim ${command} `)
    }
    expect(stdout).toMatch(/^Examples:\n {2}sim init /m)
  })

  it.for(['run', 'proxy', 'validate', 'init', 'export openapi', 'export fixtures'])(
    'gives examples of sim %s in its help',
    async (command) => {
      const { code, stdout } = await simHere(...command.split(' '), '--help')
      expect([code === 0 || code === undefined, stdout]).toEqual([
        true,
        expect.stringMatching(new RegExp(`^Examples:\\n {2}sim ${command}`, 'm')),
      ])
    },
  )

  it.for(['run', 'proxy', 'chaos schedule'])(
    'says in the help of sim %s how to list all options',
    async (command) => {
      const { stdout } = await simHere(...command.split(' '), '--help')
      expect(stdout).toContain(`: sim ${command} --help all lists them all.`)
    },
  )

  it.for([
    [[], /^Name a command\n/],
    [['launch'], /Unknown argument: launch\n/],
    [['validate'], /Not enough non-option arguments/],
    [['validate', 'app.ts', '--jsn'], /Unknown argument: jsn/],
    [['init', '--confg'], /Unknown argument: confg/],
    [['export'], /^Name what to export: openapi or fixtures\n/],
    [['export', 'har', 'app.ts'], /Unknown argument/],
    [['export', 'openapi'], /Not enough non-option arguments/],
    [['export', 'openapi', 'app.ts', '--format', 'xml'], /Choices: "json", "yaml"/],
    [['export', 'fixtures', 'app.ts', '-o'], /Not enough arguments following: (o|output)/],
  ] as const)('refuses sim %j with exit code 2 and where to look', async ([args, message]) => {
    expect(await simHere(...args)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(message) as unknown,
    })
    expect((await simHere(...args)).stderr).toMatch(/See sim --help, or sim <command> --help\.\n$/)
  })

  it('shows where a fault of its own happened', async () => {
    using folder = temporaryFolder({
      'app.mjs': `export const api = { [Symbol.for('sim-gateway.SimAPI')]: true, get routes() { throw new TypeError('odd') } }`,
    })
    const { code, stderr } = await simHere('validate', `${folder.path}/app.mjs`)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^Internal error, please report it: TypeError: odd\n +at /),
    ])
  })
})

describe('the installed command', () => {
  it('ends although the target keeps timers, and prints all it has', async () => {
    const index = resolve(import.meta.dirname, '../../dist/src/index.js')
    const routes = Array.from({ length: 300 }, (_, index) => `.get('/a-rather-long-path/${index}')`).join('')
    using folder = temporaryFolder({
      'app.mjs': `import { SimAPI } from ${JSON.stringify(index)}
setInterval(() => {}, 1000)
export const api = new SimAPI({ seed: 1 })${routes}
`,
    })
    const result = await runSim(['export', 'openapi', 'app.mjs'], folder.path)
    expect([result.code, result.stderr]).toEqual([0, ''])
    expect(Object.keys((JSON.parse(result.stdout) as { paths: object }).paths)).toHaveLength(300)
  })

  it('exits 2 for a usage error', async () => {
    expect(await runSim(['export'])).toMatchObject({ code: 2, stdout: '' })
  })
})
