import { createAdapter } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

const put = { method: 'PUT', body: '{"text":"x"}' }

describe('fetch in process', () => {
  it('takes paths, URLs and requests, of any origin', async () => {
    const { fetch } = createAdapter(notes)
    const inputs = [
      '/v1/notes/a',
      'https://api.example/v1/notes/a',
      new URL('http://localhost:1/v1/notes/a'),
      new Request('http://a.example/v1/notes/a'),
    ]
    for (const input of inputs) {
      const answer = await fetch(input)
      expect(await answer.json()).toEqual({ id: 'a', text: 'first' })
    }
    expect((await fetch('https://api.example/v1/notes')).url).toBe('https://api.example/v1/notes')
  })

  it('sends bodies of every kind', async () => {
    const { fetch, state } = createAdapter(notes)
    const stream = new Blob(['{"text":"s"}']).stream()
    await fetch('/v1/notes/s', { ...put, body: stream })
    await fetch(new Request('http://localhost/v1/notes/r', put))
    await fetch('/v1/notes/b', { ...put, body: Buffer.from('{"text":"b"}') })
    expect(['s', 'r', 'b'].map((id) => state().notes.get(id)?.text)).toEqual(['s', 'x', 'b'])
  })

  it('rejects when it is aborted', async () => {
    const { fetch } = createAdapter(notes, { faults: [{ latencyMs: 60_000 }] })
    await expect(fetch('/v1/notes', { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
    await expect(fetch('/v1/notes', { signal: AbortSignal.timeout(10) })).rejects.toThrow('timeout')
  })
})
