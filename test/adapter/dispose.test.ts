import { type AdapterDefinition, createAdapter, createContextClass } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { MAX_SESSIONS } from '../../src/adapter/session.ts'
import { notes, type NotesFixture, type NotesState } from './notes-adapter.ts'

function watched() {
  const disposed: NotesState[] = []
  const definition: AdapterDefinition<NotesState, NotesFixture> = {
    ...notes,
    dispose: (state) => void disposed.push(state),
  }
  return { disposed, definition }
}
const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('a state is disposed of', () => {
  it('once, by a reset', () => {
    const { disposed, definition } = watched()
    const adapter = createAdapter(definition)
    const first = adapter.state()
    adapter.reset()
    adapter.reset()
    expect(disposed).toEqual([first])
    expect(adapter.state()).not.toBe(first)
  })

  it('by a snapshot that takes its place', () => {
    const { disposed, definition } = watched()
    const adapter = createAdapter(definition)
    const snapshot = adapter.snapshot()
    const first = adapter.state()
    adapter.restore(snapshot)
    expect(disposed).toEqual([first])
    expect(disposed).not.toContain(adapter.state())
  })

  it('after a write that is not kept', async () => {
    const { disposed, definition } = watched()
    const adapter = createAdapter(definition, { stateful: false })
    const first = adapter.state()
    await adapter.fetch('/v1/notes/d', { method: 'PUT', body: '{"text":"x"}' })
    expect(disposed).toEqual([first])
  })

  it('when its token gives way to others', async () => {
    const { disposed, definition } = watched()
    const adapter = createAdapter(definition, { isolate: 'token' })
    await adapter.fetch('/v1/notes', as('t0'))
    const oldest = adapter.state('t0')
    for (let index = 1; index < MAX_SESSIONS; index++) await adapter.fetch('/v1/notes', as(`t${index}`))
    expect(disposed).toEqual([])
    await adapter.fetch('/v1/notes', as('another'))
    expect(disposed).toEqual([oldest])
  })

  it('with those of all tokens, when the adapter is closed, which can be used again', async () => {
    const { disposed, definition } = watched()
    const adapter = createAdapter(definition, { isolate: 'token' })
    const states = [adapter.state(), adapter.state('one')]
    adapter.close()
    expect(disposed).toEqual(states)
    expect((await adapter.fetch('/v1/notes', as('one'))).status).toBe(200)
    expect(states).not.toContain(adapter.state('one'))
  })

  it('at the end of a context, listening or not', async () => {
    const { disposed, definition } = watched()
    const Context = createContextClass(definition)
    {
      using mock = new Context()
      expect(mock.state.revision).toBe(0)
    }
    expect(disposed).toHaveLength(1)
    {
      await using mock = await Context.start()
      expect((await fetch(`${mock.baseUrl}/v1/notes`)).status).toBe(200)
    }
    expect(disposed).toHaveLength(2)
  })
})
