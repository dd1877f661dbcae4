import { existsSync, readFileSync } from 'node:fs'
import { createManifest, runAdapter } from 'sim-gateway/adapter'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runHere, serveBy, type Printed } from '../../cli/run-in-process.ts'
import { temporaryFolder, type TemporaryFolder } from '../../temporary-folder.ts'
import { notes } from '../notes-adapter.ts'

const commandLine = (args: readonly string[]) => runAdapter(notes, args)
const run = (...args: readonly string[]): Promise<Printed> => runHere(commandLine, args)

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({
    'good.yaml': 'version: 1\nnotes: [{ id: z, text: last, colour: red }]\n',
    'bad.yaml': 'version: 1\nnotes:\n  - { id: z }\n',
  })
})
afterAll(() => folder[Symbol.dispose]())

describe('serve', () => {
  it('answers where it says, until it is interrupted', async () => {
    const served = await serveBy(commandLine, [
      'serve',
      '--fixture',
      `${folder.path}/good.yaml`,
      '--seed',
      '4',
    ])
    expect(served.stdout).toMatch(/^listening on http:\/\/127\.0\.0\.1:\d+\n$/)
    expect(served.code).toBeUndefined()
    expect(await (await fetch(`${served.url}/v1/notes`)).json()).toEqual({
      notes: [{ id: 'z', text: 'last', colour: 'red' }],
    })
    expect(await served.stop()).toBe(0)
  })

  it('takes host and token from the environment', async () => {
    vi.stubEnv('SIM_NOTES_HOST', 'localhost')
    vi.stubEnv('SIM_NOTES_TOKEN', 'secret')
    const served = await serveBy(commandLine, ['serve', '--auth', 'strict', '--token', 'other'])
    vi.unstubAllEnvs()
    expect(served.url).toContain('localhost')
    const ask = async (token: string) =>
      (await fetch(`${served.url}/v1/notes`, { headers: { authorization: `Bearer ${token}` } })).status
    expect([await ask('secret'), await ask('other'), await ask('third')]).toEqual([200, 200, 401])
    await served.stop()
  })

  it.for([
    [['--cors'], 'https://two.example'],
    [['--cors', 'https://one.example', '--cors', 'https://two.example'], 'https://two.example'],
    [['--cors', 'https://one.example'], null],
    [['--no-cors'], null],
    [[], 'https://two.example'],
  ] as const)('lets pages of the named origins read answers: %j', async ([flags, allowed]) => {
    const served = await serveBy(commandLine, ['serve', ...flags])
    const answer = await fetch(`${served.url}/v1/notes`, { headers: { origin: 'https://two.example' } })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, allowed])
    await served.stop()
  })

  it.for([
    [['serve', '--port', '65536'], /^--port must be a whole number/],
    [['serve', '--seed', '-1'], /^--seed must be a whole number/],
    [['serve', '--auth', 'loose'], /Invalid values:[^]*auth/],
    [['serve', '--auth', 'strict'], /^--auth strict admits nobody without a token/],
    [['serve', '--nonsense'], /Unknown argument: nonsense/],
    [['sevre'], /Did you mean serve\?/],
    [[], /^Name a command/],
    [['fixture'], /^Name a command of fixture/],
    [['fixture', 'init'], /Missing required argument: output/],
    [['validate'], /Not enough non-option arguments/],
  ] as const)('and all others refuse a wrong usage with 2: %j', async ([args, message]) => {
    const { code, stderr } = await run(...args)
    expect(stderr).toMatch(message)
    expect(stderr).toContain('See sim-notes --help')
    expect(code).toBe(2)
  })

  it('refuses a bad fixture with 1', async () => {
    const { code, stderr } = await run('serve', '--fixture', `${folder.path}/bad.yaml`)
    expect([code, stderr]).toEqual([1, `${folder.path}/bad.yaml:3 /notes/0/text: Field required\n`])
  })
})

describe('validate', () => {
  it('says that a fixture is valid', async () => {
    const { code, stdout } = await run('validate', `${folder.path}/good.yaml`)
    expect([code, stdout]).toEqual([0, `${folder.path}/good.yaml is valid\n`])
  })

  it('says what is wrong with one', async () => {
    expect((await run('validate', `${folder.path}/bad.yaml`)).code).toBe(1)
    const { code, stderr } = await run('validate', '--strict', `${folder.path}/good.yaml`)
    expect([code, stderr]).toEqual([1, `${folder.path}/good.yaml:2 /notes/0/colour: Unknown field\n`])
  })
})

describe('fixture init', () => {
  it('writes the starter fixture, and replaces nothing unless forced', async () => {
    const output = `${folder.path}/new/first.yaml`
    expect(await run('fixture', 'init', '--output', output)).toMatchObject({
      code: 0,
      stdout: `Wrote ${output}\n`,
    })
    expect(readFileSync(output, 'utf8')).toBe(readFileSync(notes.fixture.starter, 'utf8'))
    expect(await run('fixture', 'init', '--output', output)).toMatchObject({
      code: 1,
      stderr: `${output} is there already; --force replaces it\n`,
    })
    expect((await run('fixture', 'init', '--output', output, '--force')).code).toBe(0)
    expect((await run('validate', output)).code).toBe(0)
  })
})

describe('operations', () => {
  it('lists them', async () => {
    const { code, stdout } = await run('operations')
    expect(code).toBe(0)
    expect(stdout.split('\n')[1]).toMatch(/^GET {5}\/v1\/notes +exact +listNotes$/)
    expect(stdout).toContain('unsupported  share')
  })

  it('lists them as JSON', async () => {
    expect(JSON.parse((await run('operations', '--json')).stdout)).toEqual(createManifest(notes).operations)
  })
})

describe('manifest', () => {
  it('prints or writes it', async () => {
    expect(JSON.parse((await run('manifest')).stdout)).toEqual(createManifest(notes))
    const output = `${folder.path}/dist/manifest.json`
    expect(await run('manifest', '--output', output)).toMatchObject({ code: 0, stdout: '' })
    expect(existsSync(output)).toBe(true)
  })
})

describe('help and version', () => {
  it.for([['--help'], ['serve', '--help'], ['-h']])('are expected: %j', async (args) => {
    const { code, stdout } = await run(...args)
    expect([code, stdout]).toEqual([0, expect.stringContaining('sim-notes')])
  })

  it('name the package', async () => {
    expect(await run('--version')).toMatchObject({ code: 0, stdout: '0.1.0\n' })
  })
})
