import { expect, it } from 'vitest'
import { open } from './ask.ts'

it('answers a route in place of it, so often, in one session', async () => {
  const { ask } = open()
  const rule = {
    route: 'GET /users/{id}',
    status: 503,
    body: { down: true },
    headers: { 'retry-after': '3' },
    times: 2,
  }
  const { body: added } = await ask('POST', '/__sim/overrides', rule)
  expect(added).toEqual({ ...rule, id: 1, used: 0 })
  expect((await ask('GET', '/__sim/s/other/users/1')).status).toBe(404)
  const first = await ask('GET', '/users/1')
  expect([first.status, first.body, first.headers['retry-after']]).toEqual([503, { down: true }, '3'])
  expect((await ask('GET', '/__sim/overrides')).body[0].used).toBe(1)
  expect((await ask('GET', '/users/2')).status).toBe(503)
  expect((await ask('GET', '/users/1')).status).toBe(404)
  expect((await ask('GET', '/__sim/overrides')).body).toEqual([])
  const [entry] = (await ask('GET', '/__sim/requests?status=503&limit=1')).body
  expect(entry).toMatchObject({
    route: 'GET /users/{id}',
    chaos: ['status 503'],
    response_body: { down: true },
  })
})

it('answers what no route is declared for, until it is removed', async () => {
  const { ask } = open()
  await ask('POST', '/__sim/overrides', { method: 'POST', path: '/legacy/**', status: 202, text: 'later' })
  for (let i = 0; i < 3; i++) expect((await ask('POST', '/legacy/a/b', {})).body).toBe('later')
  expect((await ask('GET', '/legacy/a/b')).status).toBe(404)
  expect((await ask('DELETE', '/__sim/overrides/1')).body).toEqual([])
  expect((await ask('DELETE', '/__sim/overrides/1')).status).toBe(404)
  expect((await ask('POST', '/legacy/a/b', {})).status).toBe(404)
})

it('waits by the clock of the session, and ends with a reset', async () => {
  const { ask } = open()
  await ask('POST', '/__sim/clock/freeze')
  await ask('POST', '/__sim/overrides', { route: 'GET /users', status: 200, body: [], latency_ms: 60_000 })
  const waiting = ask('GET', '/users')
  await ask('POST', '/__sim/clock/advance', { ms: 60_000 })
  expect((await waiting).body).toEqual([])
  await ask('POST', '/__sim/reset')
  expect((await ask('GET', '/__sim/overrides')).body).toEqual([])
})

it('refuses a route that is not there, and a header that cannot be', async () => {
  const { ask } = open()
  const problems = [
    await ask('POST', '/__sim/overrides', { route: 'GET /nothing', status: 200 }),
    await ask('POST', '/__sim/overrides', { status: 200, headers: { 'a b': 'c' } }),
    await ask('POST', '/__sim/overrides', { status: 99 }),
  ]
  expect(problems.map(({ status }) => status)).toEqual([422, 422, 422])
  expect(problems[0]?.body.detail[0]).toMatchObject({ loc: ['body', 'route'] })
})
