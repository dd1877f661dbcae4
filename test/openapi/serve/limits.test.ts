import { afterEach, describe, expect, it } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'
import { createEngine } from '../../../src/simulation/engine.ts'
import { createLogger, type Logged } from '../../pipeline/logger.ts'
import { described, json } from './describing.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

describe('a body whose pattern is not decided in time', () => {
  it('is taken, which is logged once, and refused for all else that is wrong', async () => {
    const lines: Logged[] = []
    const takes = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', pattern: '^(?=(a+)+$)a+$' }, age: { type: 'integer' } },
    }
    const routes = [described('POST', '/names', [json(200, { const: 'fine' })], { takes })]
    const app = createGateway({ engine: createEngine({ routes, seed: 1 }), logger: createLogger(lines) })
    closing.push(async () => app.close())
    const send = async (body: object) => app.inject({ method: 'POST', url: '/names', payload: body })

    const name = `${'a'.repeat(60)}b`
    expect((await send({ name })).statusCode).toBe(200)
    expect((await send({ name })).statusCode).toBe(200)
    expect((await send({ name: 'b' })).statusCode).toBe(422)
    const refused = await send({ name, age: 'old' })
    expect(refused.statusCode).toBe(422)
    expect(refused.json()).toMatchObject({ detail: [{ loc: ['body', 'age'] }, { type: 'not_checked' }] })
    expect(lines.map(({ message }) => message)).toEqual([
      'A limit was reached: the pattern ^(?=(a+)+$)a+$ was not checked: it takes over 50 ms',
    ])
  })
})

describe('an answer that would be too large', () => {
  it('is cut, and named in a header, in the log once, and where answers are checked', async () => {
    const lines: Logged[] = []
    const model = { type: 'object', properties: { all: { type: 'array', minItems: 1e9 } }, required: ['all'] }
    const routes = [described('GET', '/all', [json(200, model)])]
    const open = (validateResponses: boolean) => {
      const engine = createEngine({ routes, seed: 1, validateResponses })
      const app = createGateway({ engine, logger: createLogger(lines) })
      closing.push(async () => app.close())
      return app
    }
    const app = open(false)
    for (const turn of [1, 2]) {
      const { statusCode, headers, body } = await app.inject('/all')
      expect([turn, statusCode]).toEqual([turn, 200])
      expect(headers['x-sim-cut']).toBe('the model.all is cut, it has 524287 of 1000000000 items')
      expect(body.length).toBeLessThan(64 * 2 ** 20)
    }
    expect(lines.map(({ message }) => message)).toEqual([
      'A limit was reached: GET /all: the model.all is cut, it has 524287 of 1000000000 items',
    ])
    const refused = await open(true).inject('/all')
    expect(refused.statusCode).toBe(500)
    expect(refused.json().detail).toContain('the model.all is cut')
  })
})
