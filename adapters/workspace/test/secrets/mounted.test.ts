import { createGateway, SimAPI } from 'sim-gateway'
import { createAdapter } from 'sim-gateway/adapter'
import { afterEach, describe, expect, it } from 'vitest'
import { adapter } from '../../src/adapter.ts'

const PLANTED = 'pl4nted-s3cret-value'
const closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

describe('secrets of a workspace that a gateway mounts', () => {
  it('are not in the journal of the gateway, nor in its answers', async () => {
    const gateway = createGateway({
      engine: new SimAPI({ seed: 1 }).engine(),
      adapters: [{ adapter: createAdapter(adapter), prefix: '/workspace' }],
    })
    closing.push(async () => gateway.close())
    const url = await gateway.listen({ port: 0, host: '127.0.0.1' })
    const ask = async (path: string, body?: unknown): Promise<string> => {
      const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(url + path, { ...init, headers: { 'content-type': 'application/json' } })
      return `${response.status} ${await response.text()}`
    }

    const answers = [
      await ask('/workspace/api/2.0/secrets/put', { scope: 'app', key: 'k', string_value: PLANTED }),
      await ask('/workspace/api/2.0/secrets/put', { scope: 'none', key: 'k', string_value: PLANTED }),
      await ask('/workspace/api/2.0/secrets/list?scope=app'),
      await ask('/workspace/__sim/snapshot'),
      await ask('/__sim/requests'),
    ]

    expect(answers[0]).toBe('200 {}')
    expect(answers[4]).toContain('/workspace/api/2.0/secrets/put')
    expect(answers.filter((answer) => answer.includes('pl4nted'))).toEqual([])
  })
})
