import { describe, expect, it } from 'vitest'
import { SimAPI } from '../../src/api.ts'
import { ScenarioStep } from '../../src/engine/error-case.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { open } from './ask.ts'

describe('scenarios on the control plane', () => {
  it('are read, and started again', async () => {
    const api = new SimAPI({ seed: 1 }).get('/plain')
    api.get('/report', { scenario: [ScenarioStep({ status: 503 }), ScenarioStep({ status: 200 })] })
    const { ask } = open({}, api)
    const next = async () => (await ask('GET', '/__sim/scenarios')).body
    expect(await next()).toEqual([{ route: 'GET /report', steps: 2, next: 1 }])
    for (const status of [503, 200, 200]) expect((await ask('GET', '/report')).status).toBe(status)
    expect(await next()).toEqual([{ route: 'GET /report', steps: 2, next: 2 }])
    expect((await ask('POST', '/__sim/scenarios/reset')).body).toEqual([
      { route: 'GET /report', steps: 2, next: 1 },
    ])
    expect((await ask('GET', '/report')).status).toBe(503)
  })
})

describe('modes on the control plane', () => {
  it('are read, and changed for requests to come', async () => {
    const { ask } = open({ upstream: 'http://127.0.0.1:1' })
    expect((await ask('GET', '/__sim/modes')).body).toEqual({ mode: 'simulate', rules: [] })
    const rules = [{ mode: 'simulate', path: '/users' }]
    expect((await ask('PUT', '/__sim/modes', { mode: 'forward', rules })).body).toEqual({
      mode: 'forward',
      rules,
    })
    expect((await ask('GET', '/users')).status).toBe(200)
    expect((await ask('GET', '/users/1')).status).toBe(502)
    expect((await ask('GET', '/__sim/requests?mode=forward')).body).toHaveLength(1)
  })

  it.for([
    [{ mode: 'mock' }, 'Value must be equal to one of the allowed values'],
    [{ mode: 'replay' }, "Mode 'replay' needs a recording to read"],
    [{ mode: 'forward', rules: [{ path: '/x' }] }, 'Field required'],
  ] as const)('are refused where they cannot be: %j', async ([settings, message]) => {
    const { ask } = open()
    const { status, body } = await ask('PUT', '/__sim/modes', settings)
    expect(status).toBe(422)
    expect(body.detail[0].msg).toContain(message)
    expect((await ask('GET', '/__sim/modes')).body.mode).toBe('simulate')
  })
})

describe('recordings on the control plane', () => {
  it('are those that are written or read', async () => {
    using folder = temporaryFolder({})
    const { app, ask } = open({ record: folder.path, upstream: 'http://127.0.0.1:1' })
    expect((await ask('GET', '/__sim/recordings')).body).toEqual([
      { directory: folder.path, bytes: 0, bodies: 0, changed: expect.any(String), recording: true },
    ])
    await app.close()
  })

  it('are none without', async () => {
    const { ask } = open()
    expect((await ask('GET', '/__sim/recordings')).body).toEqual([])
  })
})
