import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { driftOf } from '../../src/cli/proxy.ts'
import { createRunOutput } from '../../src/cli/run-output.ts'
import { createDriftLog } from '../../src/recording/drift/drift-log.ts'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { serveHere, simHere } from './run-in-process.ts'

const index = resolve(import.meta.dirname, '../../dist/src/index.js')

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({
    'app.mjs': `import { SimAPI } from ${JSON.stringify(index)}
export const api = new SimAPI({ stateful: true })
  .post('/users', { output: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } })
  .get('/users/{id}', { output: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } })\n`,
    'notes.yaml': 'routes: { GET /notes: { output: { type: string } } }\n',
  })
})
afterAll(() => folder[Symbol.dispose]())

describe('sim proxy', () => {
  it('serves the routes of targets in their own way, behind what its options ask for', async () => {
    const options = ['--bearer-token', 't', '--latency-ms', '1', '--jitter-ms', '1', '--rate-limit', '100']
    const served = await serveHere('proxy', '--routes', `${folder.path}/app.mjs`, '--seed', '5', ...options)
    expect(served.stderr).toBe('seed 5 (repeat this run with --seed 5)\n')
    expect((await fetch(`${served.url}/users/1`)).status).toBe(401)

    const headers = { authorization: 'Bearer t' }
    const created = await fetch(`${served.url}/users`, { method: 'POST', headers })
    const { id } = (await created.json()) as { id: string }
    expect(await (await fetch(`${served.url}/users/${id}`, { headers })).json()).toEqual({ id })
    expect(await served.stop()).toBe(0)
  })

  it('fails as often as flags say, with the codes that they name', async () => {
    const options = ['--error-rate', '1', '--error-codes', '503,504']
    const served = await serveHere('proxy', '--routes', `${folder.path}/app.mjs`, ...options)
    expect([503, 504]).toContain((await fetch(`${served.url}/users/1`)).status)
    expect(await served.stop()).toBe(0)
  })

  it('refuses a target of --routes that was named before', async () => {
    const app = `${folder.path}/app.mjs`
    const again = `${folder.path}/../${basename(folder.path)}/app.mjs`
    const { code, stderr } = await simHere('proxy', '--routes', app, '--routes', again)
    expect([code, stderr.split('\n')[0]]).toEqual([2, `--routes names '${again}' twice; once is enough`])
  })

  it('says how to repeat each of the seeds that several apps drew', async () => {
    const targets = ['app.mjs', 'notes.yaml'].flatMap((name) => ['--routes', `${folder.path}/${name}`])
    const served = await serveHere('proxy', ...targets)
    expect(served.stderr).toMatch(/app\.mjs \(drawn; repeat it with new SimAPI\(\{ seed: \d+ \}\)\)\n/)
    expect(served.stderr).toMatch(
      /notes\.yaml \(drawn; repeat it with seed: \d+ in the sim\.yaml beside it\)\n/,
    )
    expect(await served.stop()).toBe(0)
  })

  it.for([
    [['--mode', 'mock'], /Invalid values:\n.*Argument: mode, Given: "mock", Choices: "simulate", "forward"/],
    [['--mode', 'record'], /^--mode record needs a directory to record to: --record <dir>/],
    [['--mode', 'spy'], /^--mode spy needs a recording to read: --recording <dir>/],
    [['--max-header-bytes', '-1'], /^--max-header-bytes must be a whole number from 0 to 1048576/],
    [['--latency-ms', '-1'], /^--latency-ms must be a number of milliseconds, 0 or more, not -1/],
    [['--error-rate', '1.1'], /^--error-rate must be a number from 0 to 1/],
    [
      ['--error-codes', '500,x'],
      /^--error-codes must be statuses from 400 to 599 such as 500,503; 'x' is not one/,
    ],
    [['--rate-limit', '0.5'], /^--rate-limit must be a whole number/],
  ] as const)('refuses %j', async ([args, message]) => {
    const { code, stderr } = await simHere('proxy', '--routes', `${folder.path}/app.mjs`, ...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })
})

it('writes a report at once, and prints and writes another at the end', async () => {
  using folder = temporaryFolder({})
  const file = join(folder.path, 'reports/drift.json')
  const { onDrift } = driftOf({ driftReport: file }, await createRunOutput({}, { workers: 1 }))
  const read = (): unknown => JSON.parse(readFileSync(file, 'utf8'))
  expect(read()).toEqual(createDriftLog().report())
  const report = { ...createDriftLog().report(), exchanges: 7 }
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onDrift?.({ ...report, skipped: 2 })
  const [line] = written.mock.lastCall ?? []
  written.mockRestore()
  expect(line).toBe('2 exchanges were not compared\n')
  expect(read()).toEqual({ ...report, skipped: 2 })
})

it('refuses a file that cannot be written, and says when it no longer can', async () => {
  using folder = temporaryFolder({ taken: '' })
  const output = await createRunOutput({}, { workers: 1 })
  expect(() => driftOf({ driftReport: join(folder.path, 'taken/drift.json') }, output)).toThrow(
    'could not be written',
  )
  const { onDrift } = driftOf({ driftReport: join(folder.path, 'reports/drift.json') }, output)
  rmSync(join(folder.path, 'reports'), { recursive: true })
  writeFileSync(join(folder.path, 'reports'), '')
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onDrift?.(createDriftLog().report())
  const lines = written.mock.calls.map(([line]) => String(line))
  written.mockRestore()
  expect(lines.join('')).toContain('could not be written')
  expect(existsSync(join(folder.path, 'reports/drift.json'))).toBe(false)
})
