import { createMockClass, FixtureInvalid } from 'sim-gateway/adapter'
import { expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

const NotesMock = createMockClass(notes)
const other = { version: 1, notes: [{ id: 'z', text: 'the last' }] }

it('a mock is called in process and by a web app', async () => {
  const mock = new NotesMock()
  expect((await mock.fetch('/v1/notes/a')).status).toBe(200)
  const web = mock.asWebApp()
  expect((await web.inject('/v1/notes/a')).statusCode).toBe(200)
  await web.close()
})

it('a mock begins anew with another fixture, and keeps the rest of its config', async () => {
  const mock = new NotesMock({ seed: 3, strict: true })
  const web = mock.asWebApp()
  expect(mock.loadFixture(other)).toBe(mock)
  expect((await mock.fetch('/v1/notes/z')).status).toBe(200)
  expect((await mock.fetch('/v1/notes/a')).status).toBe(404)
  expect((await web.inject('/v1/notes/a')).statusCode).toBe(200)
  expect(() => mock.loadFixture({ ...other, more: true })).toThrow(FixtureInvalid)
  expect((await mock.fetch('/v1/notes/z')).status).toBe(200)
  await web.close()
})

it('a mock forgets what was written when it is reset', async () => {
  const mock = new NotesMock()
  await mock.fetch('/v1/notes/d', { method: 'PUT', body: '{"text":"x"}' })
  expect(mock.adapter.state().notes.has('d')).toBe(true)
  mock.reset()
  expect(mock.adapter.state().notes.has('d')).toBe(false)
})
