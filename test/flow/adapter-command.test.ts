import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder, type TemporaryFolder } from '../temporary-folder.ts'
import { startCommand } from './sim-process.ts'
import { KIT, VENDOR } from './vendor-adapter.ts'

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({
    'vendor.mjs': VENDOR,
    'starter.yaml': 'version: 1\nusers: [ada]\n',
    'cli.mjs': `import { runAdapterAsProcess } from ${KIT}
import { adapter } from './vendor.mjs'
await runAdapterAsProcess(adapter)\n`,
  })
})
afterAll(() => folder[Symbol.dispose]())

const start = () => startCommand(`${folder.path}/cli.mjs`, ['serve'])

describe('the command of an adapter', () => {
  it.for(['SIGINT', 'SIGTERM'] as const)('answers until %s, and ends with 0', async (signal) => {
    const server = await start()
    const answer = await fetch(`${server.url}/v1/users`)
    expect(await answer.json()).toEqual({ users: ['ada'], q: null })
    expect(await server.stop(signal)).toBe(0)
    expect(server.stderr()).toBe('')
  })

  it('tells on stderr what went wrong in the adapter, and nobody else', async () => {
    const server = await start()
    const answer = await fetch(`${server.url}/v1/crash`, { method: 'POST' })
    expect([answer.status, await answer.text()]).toEqual([500, '{"vendor":"internal"}'])
    await server.prints(/"ReferenceError".*state is not defined.*"POST \/v1\/crash"/)
    expect(await server.stop()).toBe(0)
  })

  it('ends without waiting for an answer that is held back', async () => {
    const server = await start()
    const rule = JSON.stringify({ latencyMs: 60_000 })
    await fetch(`${server.url}/__sim/faults`, { method: 'PUT', body: rule })
    const gone = fetch(`${server.url}/v1/users`, { signal: AbortSignal.timeout(50) })
    await expect(gone).rejects.toThrow('timeout')
    expect(await server.stop()).toBe(0)
    expect(server.stderr()).toBe('')
  })
})
