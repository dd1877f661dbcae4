import { describe, expect, it } from 'vitest'
import { simTest } from '../../src/testing/sim-test.ts'
import { INNER, runInner } from './inner.ts'
import { APP } from './targets.ts'

const test = simTest({ app: `${APP}:api` })

describe('simTest', () => {
  test('gives each test an app and its client', async ({ simApi, simClient, expect }) => {
    const response = await simClient.post('/users', { json: { name: 'Ada' } })
    expect(response.status).toBe(201)
    expect(simApi.store.collection('/users').size).toBe(1)
  })

  it('gives each test the state that the app starts in, whatever the target', async () => {
    const tests = await runInner(INNER.freshState)
    expect(tests.filter(({ passed }) => !passed)).toEqual([])
    expect(tests).toHaveLength(8)
  })

  it('fails the test and says why when there is no such app', async () => {
    const tests = await runInner(INNER.missingTargets)
    expect(tests.map(({ passed }) => passed)).toEqual([false, false, false])
    expect(tests[0]?.message).toMatch(/TargetInvalid: Module '.\/nowhere.ts' not found, looked in \//)
    expect(tests[1]?.message).toContain(`Attribute 'other' not found in module '${APP}'`)
    expect(tests[2]?.message).toContain(`'${APP}:notes' must be a SimAPI`)
  })
})
