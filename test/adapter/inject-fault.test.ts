import { createAdapter, type FaultRule } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

const put = (id: string) => [`/v1/notes/${id}`, { method: 'PUT', body: '{"text":"new"}' }] as const
const create = (...faults: FaultRule[]) => createAdapter(notes, { faults })

describe('what faults do to a request', () => {
  it('before its handler leaves the state as it was', async () => {
    const adapter = create({ status: 503, times: 1, retryAfterSeconds: 3 })
    const answer = await adapter.fetch(...put('d'))
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('3')
    expect(adapter.state().notes.has('d')).toBe(false)
    expect((await adapter.fetch(...put('d'))).status).toBe(201)
  })

  it('after its handler leaves it changed', async () => {
    const adapter = create({ status: 500, times: 1, when: 'after', operation: 'putNote' })
    expect((await adapter.fetch(...put('d'))).status).toBe(500)
    expect(adapter.state().notes.has('d')).toBe(true)
    expect((await adapter.fetch(...put('d'))).status).toBe(200)
  })

  it('is for the operation of the rule alone', async () => {
    const adapter = create({ status: 500, operation: 'putNote' })
    expect((await adapter.fetch('/v1/notes')).status).toBe(200)
    expect((await adapter.fetch(...put('d'))).status).toBe(500)
  })

  it('may hold it, but not change the order of requests to one operation', async () => {
    const adapter = create({ jitterMs: 40, operation: 'putNote' }, { latencyMs: 5, when: 'after' })
    const ids = Array.from({ length: 8 }, (_, index) => `n${index}`)
    await Promise.all(ids.map((id) => adapter.fetch(...put(id))))
    expect([...adapter.state().notes.keys()].slice(3)).toEqual(ids)
  })

  it('comes after credentials and rate limits', async () => {
    const adapter = createAdapter(notes, {
      auth: 'strict',
      faults: [{ status: 500, times: 1 }],
    })
    expect((await adapter.fetch('/v1/notes')).status).toBe(401)
    expect((await adapter.fetch('/v1/status')).status).toBe(500)
  })

  it('is over when the client is gone, and lets the next go on', async () => {
    const adapter = create({ latencyMs: 60_000, times: 1 })
    const gone = adapter.fetch('/v1/notes/d', { ...put('d')[1], signal: AbortSignal.timeout(5) })
    const next = adapter.fetch(...put('e'))
    await expect(gone).rejects.toThrow('timeout')
    expect((await next).status).toBe(201)
    expect(adapter.state().notes.has('d')).toBe(false)
  })
})
