import { describe, expect, it } from 'vitest'
import { errors } from '../../plugins/errors.ts'
import { chaosDraws } from '../../src/engine/random.ts'
import type { Policies } from '../../src/pipeline/route.ts'
import { testPlan, testRoute, testSession } from './plan.ts'

async function answerTo(policies: Policies, ordinal = 0) {
  const { status, text } = await testPlan([errors], testRoute(policies))({ ordinal })
  return [status, text.startsWith('{') || text === 'null' ? (JSON.parse(text) as unknown) : text]
}

const yes = () => true

describe('errors', () => {
  it('are the first mapped error that applies, before all others', async () => {
    const policies: Policies = {
      errors: [
        { when: () => false, status: 400 },
        { when: yes, status: 404, detail: { reason: 'gone' } },
        { when: yes, status: 500 },
      ],
      scenario: [{ status: 503 }],
      errorRate: 1,
    }
    expect(await answerTo(policies)).toEqual([404, { detail: { reason: 'gone' } }])
  })

  it('say Invalid request for a mapped error without a detail', async () => {
    expect(await answerTo({ errors: [{ when: yes, status: 409 }] })).toEqual([
      409,
      { detail: 'Invalid request' },
    ])
  })

  it('have a whole body in place of a detail', async () => {
    const body = { error: { code: 7 } }
    const mapped = { when: yes, status: 404, detail: 'gone', body }
    expect(await answerTo({ errors: [mapped] })).toEqual([404, body])
    expect(await answerTo({ scenario: [{ status: 503, body: null }] })).toEqual([503, null])
  })

  it('are the scenario step before random failures', async () => {
    const policies: Policies = { scenario: [{ status: 503, detail: 'busy' }], errorRate: 1 }
    expect(await answerTo(policies)).toEqual([503, { detail: 'busy' }])
    expect(await answerTo({ scenario: [{ status: 202 }] })).toEqual([202, { detail: 'Simulated error' }])
  })

  it('come as often as the rate says, with the codes in turn drawn for each request', async () => {
    for (let ordinal = 0; ordinal < 60; ordinal++) {
      const draw = chaosDraws(1, 'errors', 'GET /', ordinal)
      const isFailure = draw() < 0.3
      const code = draw() < 0.5 ? 404 : 500
      const [status] = await answerTo({ scenario: [{ status: 200 }], errorRate: 0.3 }, ordinal)
      expect(status).toBe(isFailure ? code : 200)
    }
  })

  it('fail with the codes that are given, or with 404 and 500', async () => {
    const failure = { detail: 'Simulated error' }
    expect(await answerTo({ errorRate: 1, errorCodes: [418] })).toEqual([418, failure])
    const [status] = await answerTo({ errorRate: 1, errorCodes: [] })
    expect([404, 500]).toContain(status)
  })

  it('are in the log of chaos, by what caused them', async () => {
    const session = testSession()
    await testPlan([errors], testRoute({ scenario: [{ status: 503 }] }), session)({ ordinal: 4 })
    expect(session.chaos.log.newest()).toEqual([
      { route: 'GET /', ordinal: 4, rule: 'scenario', status: 503 },
    ])
  })

  it('add no step to a route without any', () => {
    expect(errors.plan(testRoute({ errorRate: 0 }), testSession())).toBeUndefined()
  })
})
