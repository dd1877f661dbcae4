import { adapterTest } from 'sim-gateway/adapter/testing'
import { describe } from 'vitest'
import { notes } from '../notes-adapter.ts'

const test = adapterTest(notes, { seed: 5 })
const urls = new Set<string>()

describe('the vitest fixture of an adapter', () => {
  for (const run of ['first', 'second']) {
    test(`listens, as at first, in the ${run} test`, async ({ mock, expect }) => {
      urls.add(mock.baseUrl)
      expect(mock.state.notes.size).toBe(3)
      const answer = await fetch(`${mock.baseUrl}/v1/notes/d`, { method: 'PUT', body: '{"text":"x"}' })
      expect(answer.status).toBe(201)
      expect(mock.state.notes.size).toBe(4)
    })
  }

  test('is shared by the tests of a worker', ({ mock, expect }) => {
    urls.add(mock.baseUrl)
    expect(urls.size).toBe(1)
  })
})

const kept = adapterTest(notes, {}, { reset: false })

describe('the vitest fixture without a reset', () => {
  for (const [index, size] of [4, 5].entries()) {
    kept(`keeps what the tests before it wrote: ${size} notes`, async ({ mock, expect }) => {
      await mock.fetch(`/v1/notes/n${index}`, { method: 'PUT', body: '{"text":"x"}' })
      expect(mock.state.notes.size).toBe(size)
    })
  }
})
