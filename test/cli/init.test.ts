import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { nextCommands } from '../../src/cli/init.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { runSim, startSim } from '../flow/sim-process.ts'
import { simHere } from './run-in-process.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** A directory in which the package is installed. */
function project(files: Readonly<Record<string, string>> = {}): TemporaryFolder {
  const folder = temporaryFolder(files)
  mkdirSync(join(folder.path, 'node_modules'))
  symlinkSync(ROOT, join(folder.path, 'node_modules/sim-gateway'))
  symlinkSync(join(ROOT, 'node_modules/typebox'), join(folder.path, 'node_modules/typebox'))
  return folder
}

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

// The tests themselves may have been started by npx.
beforeAll(() => void vi.stubEnv('npm_command', undefined))
afterAll(() => void vi.unstubAllEnvs())

describe('sim init', () => {
  it.for([[[]], [['--config']]] as const)('writes an app that runs as printed %j', async ([flags]) => {
    using folder = project()
    const { code, stdout, stderr } = await runSim(['init', ...flags], folder.path)
    const wrote = flags.length === 0 ? 'Wrote app.ts\n' : 'Wrote app.ts\nWrote sim.yaml\n'
    expect([code, stdout, stderr]).toEqual([0, `${wrote}Next: sim run app.ts\n`, ''])

    const [, next = ''] = /^Next: sim (.*)$/m.exec(stdout) ?? []
    const server = await startSim(next.split(' '), folder.path)
    try {
      const users = (await (await fetch(`${server.url}/users?city=Paris`)).json()) as { city: string }[]
      expect(users.map(({ city }) => city)).toEqual(
        Array.from({ length: flags.length === 0 ? 5 : 3 }, () => 'Paris'),
      )
      expect(await (await fetch(`${server.url}/users/7`)).json()).toMatchObject({ id: '7' })
      const created = await post(`${server.url}/users`, { name: 'Ada', email: 'ada@example.org' })
      expect([created.status, await created.json()]).toMatchObject([
        201,
        { name: 'Ada', email: 'ada@example.org' },
      ])
      expect((await post(`${server.url}/users`, { name: '' })).status).toBe(422)
    } finally {
      expect(await server.stop()).toBe(0)
    }
    expect(await runSim(['validate', 'app.ts'], folder.path)).toEqual({
      code: 0,
      stdout: 'OK: 3 routes, 4 links\n',
      stderr: '',
    })
  })

  it.for([[[]], [['--config']]] as const)('writes the same app as data %j', async ([flags]) => {
    using folder = project()
    const { stdout } = await runSim(['init', '--data', ...flags], folder.path)
    const wrote = flags.length === 0 ? 'Wrote routes.yaml\n' : 'Wrote routes.yaml\nWrote sim.yaml\n'
    expect(stdout).toBe(`${wrote}Next: sim run routes.yaml\n`)
    expect(await runSim(['validate', 'routes.yaml'], folder.path)).toEqual({
      code: 0,
      stdout: 'OK: 3 routes, 4 links\n',
      stderr: '',
    })
    const answers = async (file: string): Promise<unknown> => {
      const server = await startSim(['run', file], folder.path)
      const users = await (await fetch(`${server.url}/users?city=Paris`)).json()
      const created = await post(`${server.url}/users`, { name: 'Ada', email: 'ada@example.org' })
      const answered = [
        users,
        await (await fetch(`${server.url}/users/7`)).json(),
        created.status,
        await created.json(),
      ]
      await server.stop()
      return answered
    }
    await runSim(['init', ...flags, '--force'], folder.path)
    expect(await answers('routes.yaml')).toEqual(await answers('app.ts'))
  })

  it('makes the directory, and its app reads the sim.yaml there', async () => {
    using folder = project()
    const { stdout } = await runSim(['init', 'a demo', '-c'], folder.path)
    expect(stdout).toBe(
      'Wrote a demo/app.ts\nWrote a demo/sim.yaml\nNext: cd "a demo"\nNext: sim run app.ts\n',
    )
    const config = join(folder.path, 'a demo/sim.yaml')
    folder.write('a demo/sim.yaml', readFileSync(config, 'utf8').replace('list_count: 3', 'list_count: many'))
    const { code, stderr } = await runSim(['run', 'app.ts'], join(folder.path, 'a demo'))
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/sim\.yaml:15: list_count must be a whole number/),
    ])
  })

  it('keeps existing files, all or none, unless it is forced', async () => {
    using folder = temporaryFolder({ 'sim.yaml': 'seed: 7\n' })
    expect(await runSim(['init', '--config'], folder.path)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'sim.yaml is there already; --force replaces them\n',
    })
    expect(readdirSync(folder.path)).toEqual(['sim.yaml'])

    expect((await simHere('init', folder.path)).code).toBe(0)
    const twice = await simHere('init', folder.path, '--config')
    expect(twice.stderr).toBe(
      `${folder.path}/app.ts and ${folder.path}/sim.yaml are there already; --force replaces them\n`,
    )
    expect(readFileSync(join(folder.path, 'sim.yaml'), 'utf8')).toBe('seed: 7\n')

    expect((await simHere('init', folder.path, '--config', '--force')).code).toBe(0)
    expect(readFileSync(join(folder.path, 'sim.yaml'), 'utf8')).toContain('seed: 42')
  })

  it('writes what the compiler accepts', () => {
    using folder = project()
    for (const flags of [[], ['--config', '--force']]) {
      spawnSync(process.execPath, [join(ROOT, 'dist/src/cli/main.js'), 'init', ...flags], {
        cwd: folder.path,
      })
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck']
      const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
      const tsc = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...options, ...types, 'app.ts'], {
        cwd: folder.path,
        encoding: 'utf8',
      })
      expect(tsc.stdout).toBe('')
    }
  })

  it('says so when the directory cannot be made', async () => {
    using folder = temporaryFolder({ 'file.txt': '' })
    const { code, stderr } = await simHere('init', join(folder.path, 'file.txt'))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/file\.txt\/app\.ts could not be written/)])
  })
})

describe('the commands after sim init', () => {
  it('install what is missing', () => {
    using folder = temporaryFolder()
    expect(nextCommands(folder.path, { data: false }, {}).slice(1)).toEqual([
      'npm install sim-gateway typebox',
      'sim run app.ts',
    ])
  })

  it('go through npx where npx was used', () => {
    using folder = project()
    expect(nextCommands(folder.path, { data: false }, { npm_command: 'exec' }).at(-1)).toBe(
      'npx sim run app.ts',
    )
    expect(nextCommands('.', { data: false }, {})[0]).not.toMatch(/^cd/)
  })
})
