import { afterEach, expect, it } from 'vitest'
import { SimAPI } from '../../../src/index.ts'
import { createGateway } from '../../../src/gateway.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

it('gives checksums of a body with that body alone', async () => {
  const api = new SimAPI({ seed: 1 })
  const headers = { 'content-type': 'application/json', 'x-amz-crc32': '2745614147', etag: '"kim"' }
  const known = { when: { url: '/', body: { name: 'kim' } }, status: 200, headers, body: { of: 'kim' } }
  api.route('POST', '/', { answers: [known], nearest: 'all' })
  const app = createGateway({ engine: api.engine() })
  closing.push(() => app.close())
  const send = async (name: string) => app.inject({ method: 'POST', url: '/', payload: { name } })
  expect((await send('kim')).headers).toMatchObject(headers)
  const other = await send('lee')
  expect(other.json()).toEqual({ of: 'lee' })
  expect(other.headers).toMatchObject({ etag: '"lee"' })
  expect(other.headers).not.toHaveProperty('x-amz-crc32')
})

it('finds the nearest answer by no sign of what was redacted, and makes a time without a zone anew', async () => {
  const api = new SimAPI({ seed: 1 })
  const headers = { 'content-type': 'application/json' }
  const when = (email: string, digits: string) => ({
    ...{ url: '/login', body: { email, password: `redacted-${digits}` } },
  })
  const right = { status: 200, headers, body: { at: '2026-03-04 05:06:07.008123' } }
  const wrong = { status: 400, headers, body: { detail: 'wrong' } }
  const answers = [
    { when: when('ann@example.com', '343970039f7e23d3'), ...wrong },
    { when: when('ann@example.com', '1111111111111111'), ...right },
    { when: when('bob@example.com', '2222222222222222'), ...right },
  ]
  api.route('POST', '/login', { answers, nearest: 'all' })
  const app = createGateway({ engine: api.engine() })
  closing.push(() => app.close())
  const payload = { email: 'cat@example.org', password: 'a-pass-9f' }
  const answer = await app.inject({ method: 'POST', url: '/login', payload })
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    { at: expect.stringMatching(/^20\d\d-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d\.\d{6}$/) },
  ])
})

it('finds the nearest answer to XML by the elements it has, and writes its values into the answer', async () => {
  const api = new SimAPI({ seed: 1 })
  const headers = { 'content-type': 'text/xml' }
  const call = (name: string, id: number) =>
    `<methodCall id="${id}"><methodName>info</methodName><params><param><value>${name}</value></param></params></methodCall>`
  const known = (name: string, id: number, text: string) => ({
    ...{ when: { url: '/rpc', type: 'text/xml', text: call(name, id) }, status: 200, headers, text },
  })
  const answers = [known('web', 1, '<info>web</info>'), known('nope', 22, '<fault>BAD_NAME</fault>')]
  api.route('POST', '/rpc', { answers, nearest: 'all' })
  const app = createGateway({ engine: api.engine() })
  closing.push(() => app.close())
  const send = async (payload: string) =>
    (await app.inject({ method: 'POST', url: '/rpc', headers, payload })).body
  expect(await send(call('nope', 7))).toBe('<fault>BAD_NAME</fault>')
  expect(await send(call('mail', 1))).toBe('<info>mail</info>')
})
