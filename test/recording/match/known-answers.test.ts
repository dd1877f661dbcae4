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
