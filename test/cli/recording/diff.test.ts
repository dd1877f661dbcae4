import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryDirectory, writeRecording } from '../../recording/samples.ts'
import { simHere, type Printed } from '../run-in-process.ts'

const JSON_TYPE = [['content-type', 'application/json']] as const

const ROUTES = {
  routes: {
    'GET /users/{id}': {
      output: {
        type: 'object',
        properties: { id: { type: 'integer' }, plan: { type: 'string', enum: ['free'] } },
        required: ['id', 'plan'],
      },
    },
  },
}

/** Compares answers to `/v1/users/1`, `/v1/users/2` and so on with the routes above. */
async function diff(answers: readonly object[], ...options: readonly string[]): Promise<Printed> {
  const directory = await temporaryDirectory()
  const recording = await writeRecording(
    join(directory, 'today'),
    ...answers.map((answer, index) => ({
      url: `https://api.example.com/v1/users/${index + 1}`,
      responseHeaders: JSON_TYPE,
      responseBody: JSON.stringify(answer),
    })),
  )
  const target = join(directory, 'api.json')
  writeFileSync(target, JSON.stringify(ROUTES))
  const { stderr, ...printed } = await simHere(
    'recordings',
    'diff',
    recording,
    '--against',
    target,
    ...options,
  )
  return { ...printed, stderr: stderr.replaceAll(recording, 'today').replaceAll(target, 'api.json') }
}

const WITHIN = ['--base-path', '/v1']
const ADDITIVE = { id: 1, plan: 'free', extra: 1 }
const WARNING = { id: 1, plan: 'team' }
const BREAKING = { id: '1', plan: 'free' }

describe('sim recordings diff', () => {
  it.for<[object, string[], number]>([
    [{ id: 1, plan: 'free' }, [], 0],
    [ADDITIVE, [], 1],
    [ADDITIVE, ['--fail-on', 'warning'], 0],
    [WARNING, ['--fail-on', 'warning'], 1],
    [WARNING, ['--fail-on', 'breaking'], 0],
    [BREAKING, ['--fail-on', 'breaking'], 1],
    [BREAKING, ['--fail-on', 'never'], 0],
    [BREAKING, ['--ignore', '/id'], 0],
    [BREAKING, ['--ignore', '/x', '--ignore', '/i*'], 0],
    [BREAKING, ['--ignore', '/x'], 1],
    [BREAKING, ['--ignore-path', '/v1/users/*'], 0],
    [BREAKING, ['--ignore-path', '/users/*'], 1],
  ])('of %j with %j ends with %i', async ([answer, options, code]) => {
    expect((await diff([answer], ...WITHIN, ...options)).code ?? 0).toBe(code)
  })

  it('counts in its message what it fails on, and prints all', async () => {
    const { stdout, stderr } = await diff([{ ...BREAKING, plan: 'team' }], ...WITHIN, '--fail-on', 'breaking')
    expect(stderr).toBe('today differs from api.json in 1 way\n')
    expect(stdout).toContain('warning: new enum value at /plan: "free" -> "team"')
  })

  it('says which base path the recorded paths have and the routes do not', async () => {
    const { stdout, stderr } = await diff([ADDITIVE])
    expect(stdout).toContain('GET /v1/users/{id}: 1 exchange\n  warning: path not declared: nothing -> GET\n')
    expect(stderr).toContain(
      'The recorded paths begin with /v1, and the expected ones do not: --base-path /v1 takes it off\n',
    )
    expect((await diff([ADDITIVE], ...WITHIN)).stderr).not.toContain('--base-path')
    expect((await diff([ADDITIVE], '--base-path', '/v2')).code).toBe(1)
  })

  it('names examples by their number in the recording, whatever is left out', async () => {
    const { stdout } = await diff([BREAKING, BREAKING], ...WITHIN, '--ignore-path', '/v1/users/1')
    expect(stdout).toContain('1 of 1, first #2 GET /v1/users/2 200\n')
  })

  it('says how far it is, and that there was nothing', async () => {
    const { stderr } = await diff(
      Array.from({ length: 1000 }, () => ({ id: 1, plan: 'free' })),
      ...WITHIN,
    )
    expect(stderr).toBe('compared 1000 exchanges\n')
    expect((await diff([], ...WITHIN)).stdout).toBe('Nothing was recorded\n')
  })
})
