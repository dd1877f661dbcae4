import { createAdapter, type AdapterDefinition } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { OptionInvalid } from '../../src/errors.ts'
import { notes, type NotesFixture, type NotesState } from './notes-adapter.ts'

const put = { method: 'PUT', body: '{"text":"x"}' }

describe('a snapshot', () => {
  it('brings back state, time and request ids, in another adapter too', async () => {
    const first = createAdapter(notes)
    await first.fetch('/v1/notes/d', put)
    first.clock.advance(1000)
    const snapshot = JSON.parse(JSON.stringify(first.snapshot())) as unknown
    const next = await first.fetch('/v1/status')

    const second = createAdapter(notes)
    second.restore(snapshot)
    expect(second.state()).toEqual(first.state())
    expect(second.clock.now()).toBe(first.clock.now())
    const same = await second.fetch('/v1/status')
    expect(same.headers.get('x-request-id')).toBe(next.headers.get('x-request-id'))
  })

  it('is not changed by what comes after it', async () => {
    const adapter = createAdapter(notes)
    const snapshot = adapter.snapshot()
    await adapter.fetch('/v1/notes/d', put)
    adapter.restore(snapshot)
    expect(adapter.state().notes.has('d')).toBe(false)
  })

  it.for([undefined, null, {}, [], { adapter: 'sim-other', now: 0, requests: 0 }, { adapter: 'sim-notes' }])(
    'is not %j',
    (value) => {
      expect(() => createAdapter(notes).restore(value)).toThrow('This is not a snapshot of sim-notes')
    },
  )

  it.for([{ state: null }, { state: { notes: 3 } }, { state: undefined }, { now: 1e99 }])(
    'that is damaged by %j changes nothing',
    async (damage) => {
      const heard: number[] = []
      const adapter = createAdapter({
        ...notes,
        createState(source) {
          source.clock.onAdvance((now) => void heard.push(now))
          return notes.createState(source)
        },
      })
      await adapter.fetch('/v1/notes/d', put)
      const state = adapter.state()
      const now = adapter.clock.now()
      const body = JSON.stringify({ ...adapter.snapshot(), now: 5, ...damage })
      const answer = await adapter.fetch('/__sim/snapshot', { method: 'PUT', body })
      expect(answer.status).toBe(422)
      expect(adapter.state()).toBe(state)
      expect(adapter.clock.now()).toBe(now)
      adapter.clock.advance(1)
      expect(heard).toEqual([now + 1])
    },
  )

  it('is kept by no adapter whose definition does not say how', () => {
    const { snapshot: _snapshot, restoreState: _restore, ...rest } = notes
    const adapter = createAdapter(rest as AdapterDefinition<NotesState, NotesFixture>)
    expect(() => adapter.snapshot()).toThrow(OptionInvalid)
    expect(() => adapter.restore({})).toThrow('sim-notes keeps no snapshots')
  })
})
