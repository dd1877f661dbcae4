import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { runSim } from '../flow/sim-process.ts'
import { simHere } from './run-in-process.ts'

const index = resolve(import.meta.dirname, '../../dist/src/index.js')
const head = `import { ErrorCase, SimAPI } from ${JSON.stringify(index)}
const User = { type: 'object', title: 'User', properties: { name: { type: 'string' } } }
export const api = new SimAPI({ seed: 1, title: 'Users' }).get('/users/{id}', { output: User, bearerTokens: ['t'] })`

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({
    'app.mjs': `${head}.delete('/users/{id}')\n`,
    'partly.mjs': `${head}.get('/never', { errors: [ErrorCase({ when: () => true, status: 404, detail: 'gone' })] })\n`,
    'web.mjs': `${head}\nexport const app = api.asWebApp()\n`,
  })
})
afterAll(() => folder[Symbol.dispose]())

interface Document {
  readonly info: unknown
  readonly paths: unknown
}

describe('sim export openapi', () => {
  it.for([[[]], [['-o', '-']]] as const)('prints the document %j', async ([args]) => {
    const { code, stdout, stderr } = await runSim(['export', 'openapi', 'app.mjs', ...args], folder.path)
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ openapi: '3.1.0', info: { title: 'Users' } })
    expect(stdout).toMatch(/^\{\n {2}"openapi"/)
  })

  it('writes the file it is given, in the format of its name or the one that is named', async () => {
    const read = (name: string): string => readFileSync(join(folder.path, name), 'utf8')
    const write = (...args: readonly string[]) =>
      runSim(['export', 'openapi', 'app.mjs', ...args], folder.path)
    expect(await write('-o', 'docs/a.json')).toEqual({ code: 0, stdout: 'Wrote docs/a.json\n', stderr: '' })
    await write('-o', 'a.yaml')
    await write('-o', 'b.json', '--format', 'yaml')
    const document = JSON.parse(read('docs/a.json')) as Document
    expect(parse(read('a.yaml'))).toEqual(document)
    expect(read('b.json')).toBe(read('a.yaml'))
  })

  it('adds sampled answers, and says which routes gave none', async () => {
    const { code, stdout, stderr } = await runSim(
      ['export', 'openapi', 'partly.mjs', '--examples'],
      folder.path,
    )
    expect([code, stderr]).toEqual([1, 'GET /never: answered 404: gone\n1 route could not be sampled\n'])
    const { paths } = JSON.parse(stdout) as Document
    expect(paths).toMatchObject({
      '/users/{id}': {
        get: {
          responses: {
            200: { content: { 'application/json': { example: { name: expect.any(String) as unknown } } } },
          },
        },
      },
    })
  })

  it('says so when the file cannot be written', async () => {
    const result = await runSim(['export', 'openapi', 'app.mjs', '-o', 'app.mjs/x.json'], folder.path)
    expect(result).toMatchObject({ code: 1, stdout: '' })
    expect(result.stderr).toMatch(/app\.mjs\/x\.json could not be written: \S[^\n]*\n$/)
  })

  it('does not take a web app', async () => {
    const { code, stderr } = await runSim(['export', 'openapi', 'web.mjs:app'], folder.path)
    expect([code, stderr]).toEqual([
      1,
      "'web.mjs:app' is a web app; only the declared routes of a SimAPI can be exported\n",
    ])
  })

  it('does in this process what the command does', async () => {
    const target = join(folder.path, 'app.mjs')
    expect((await simHere('export', 'openapi', target, '--examples')).stdout).toContain('"openapi": "3.1.0"')
    const file = join(folder.path, 'here.yml')
    expect(await simHere('export', 'openapi', target, '-o', file)).toMatchObject({
      code: 0,
      stdout: `Wrote ${file}\n`,
    })
    expect(readFileSync(file, 'utf8')).toMatch(/^openapi: 3\.1\.0\n/)
  })
})

describe('sim export fixtures', () => {
  it('writes them to fixtures, or to the folder that is named', async () => {
    expect(await runSim(['export', 'fixtures', 'app.mjs'], folder.path)).toEqual({
      code: 0,
      stdout: 'Wrote fixtures to fixtures\n',
      stderr: '',
    })
    const names = ['openapi.json', 'users_id_DELETE.json', 'users_id_GET.json']
    expect(readdirSync(join(folder.path, 'fixtures')).toSorted()).toEqual(names)

    const other = join(folder.path, 'other')
    expect(await simHere('export', 'fixtures', join(folder.path, 'app.mjs'), '-o', other)).toMatchObject({
      code: 0,
    })
    expect(readdirSync(other).toSorted()).toEqual(names)
  })

  it('says which routes gave no answer, and writes the others', async () => {
    const directory = join(folder.path, 'partly')
    const result = await simHere('export', 'fixtures', join(folder.path, 'partly.mjs'), '-o', directory)
    expect(result).toEqual({
      code: 1,
      stdout: `Wrote fixtures to ${directory}\n`,
      stderr: 'GET /never: answered 404: gone\n1 route could not be sampled\n',
    })
    expect(readdirSync(directory).toSorted()).toEqual(['openapi.json', 'users_id_GET.json'])
    expect(existsSync(join(directory, 'never_GET.json'))).toBe(false)
  })
})
