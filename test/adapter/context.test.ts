import { createContextClass } from 'sim-gateway/adapter'
import { describe, expect, it, vi } from 'vitest'
import { OptionInvalid } from '../../src/errors.ts'
import { notes } from './notes-adapter.ts'

const NotesContext = createContextClass(notes)
const put = { method: 'PUT', body: '{"text":"x"}' }

describe('a context', () => {
  it('listens until its scope ends', async () => {
    let url = ''
    {
      await using mock = await NotesContext.start({ seed: 3 })
      url = `${mock.baseUrl}/v1/notes/a`
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//)
      expect((await fetch(url)).status).toBe(200)
      expect((await mock.fetch('/v1/notes/a')).status).toBe(200)
      await mock.listen()
      expect(`${mock.baseUrl}/v1/notes/a`).toBe(url)
    }
    await expect(fetch(url)).rejects.toThrow('fetch failed')
  })

  it('works without a socket', async () => {
    using mock = new NotesContext()
    expect((await mock.fetch('/v1/notes/a')).status).toBe(200)
    expect(() => mock.baseUrl).toThrow(OptionInvalid)
  })

  it('starts over without a restart', async () => {
    await using mock = await NotesContext.start()
    const before = mock.baseUrl
    await fetch(`${mock.baseUrl}/v1/notes/d`, put)
    expect(mock.state.notes.has('d')).toBe(true)
    mock.reset()
    expect(mock.state.notes.has('d')).toBe(false)
    expect((await fetch(`${mock.baseUrl}/v1/notes/d`)).status).toBe(404)
    expect(mock.baseUrl).toBe(before)
  })

  it('takes host and token from the environment', async () => {
    vi.stubEnv('SIM_NOTES_HOST', 'localhost')
    vi.stubEnv('SIM_NOTES_TOKEN', 'from-environment')
    try {
      await using mock = await NotesContext.start()
      expect(mock.token).toBe('from-environment')
      expect((await fetch(`${mock.baseUrl}/v1/notes`)).status).toBe(200)
    } finally {
      vi.unstubAllEnvs()
    }
    using plain = new NotesContext()
    expect(plain.token).toBe('sim-token')
  })

  it('that listens has to be held by await using', async () => {
    const mock = await NotesContext.start()
    expect(() => mock[Symbol.dispose]()).toThrow("hold it by 'await using'")
    expect(() => mock.baseUrl).toThrow('does not listen')
  })

  it('can be extended', async () => {
    class Richer extends createContextClass(notes) {
      get count(): number {
        return this.state.notes.size
      }
    }
    using mock = new Richer()
    expect(mock.count).toBe(3)
  })
})
