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
