import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { errors, type ErrorRule } from '../../plugins/errors.ts'
import { sendError } from '../../src/gateway/reply.ts'

async function answerTo(rule: ErrorRule | undefined, draws: readonly number[] = []) {
  const left = [...draws]
  const app = Fastify()
  app.setErrorHandler(sendError)
  await app.register(errors, { rule: () => rule, random: () => () => left.shift() ?? 0.99 })
  app.get('/', () => ({ ok: true }))
  const response = await app.inject('/')
  return [response.statusCode, response.json<unknown>()]
}

describe('errors', () => {
  it('answers with the first mapped error that applies', async () => {
    const rule: ErrorRule = {
      cases: [
        { applies: () => false, status: 400 },
        { applies: () => true, status: 404, detail: { reason: 'gone' } },
        { applies: () => true, status: 500 },
      ],
      step: () => ({ status: 503 }),
      rate: 1,
    }
    expect(await answerTo(rule)).toEqual([404, { detail: { reason: 'gone' } }])
  })

  it('says Invalid request for a mapped error without a detail', async () => {
    const rule: ErrorRule = { cases: [{ applies: () => true, status: 409 }] }
    expect(await answerTo(rule)).toEqual([409, { detail: 'Invalid request' }])
  })

  it('answers with a whole body in place of a detail', async () => {
    const body = { error: { code: 7 } }
    const cases = [{ applies: () => true, status: 404, detail: 'gone', body }]
    expect(await answerTo({ cases })).toEqual([404, body])
    expect(await answerTo({ step: () => ({ status: 503, body: null }) })).toEqual([503, null])
  })

  it('answers with the scenario step before random failures', async () => {
    const rule: ErrorRule = { step: () => ({ status: 503, detail: 'busy' }), rate: 1 }
    expect(await answerTo(rule, [0])).toEqual([503, { detail: 'busy' }])
  })

  it('says Simulated error for a step without a detail', async () => {
    expect(await answerTo({ step: () => ({ status: 202 }) })).toEqual([202, { detail: 'Simulated error' }])
  })

  it.for([
    [[0.29, 0], 404],
    [[0.29, 0.99], 500],
    [[0.3], 200],
  ] as const)('with a rate of 0.3 and the draws %j answers %i', async ([draws, status]) => {
    const [code] = await answerTo({ step: () => ({ status: 200 }), rate: 0.3 }, draws)
    expect(code).toBe(status)
  })

  it('fails with the codes it is given', async () => {
    expect(await answerTo({ rate: 1, codes: [418] }, [0.5, 0.5])).toEqual([
      418,
      { detail: 'Simulated error' },
    ])
  })

  it('fails with 404 or 500 when the codes are empty', async () => {
    expect(await answerTo({ rate: 1, codes: [] }, [0, 0])).toEqual([404, { detail: 'Simulated error' }])
  })

  it('lets requests pass that no rule is for', async () => {
    expect(await answerTo(undefined)).toEqual([200, { ok: true }])
  })
})
