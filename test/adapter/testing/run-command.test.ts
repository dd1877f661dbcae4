import { runCommand } from 'sim-gateway/adapter/testing'
import { expect, it } from 'vitest'
import { notes } from '../notes-adapter.ts'

it('a command is run in process, and what it prints is given', async () => {
  const { code, text } = await runCommand(notes, 'operations')
  expect(code).toBe(0)
  for (const { id } of notes.operations) expect(text).toContain(id)
})

it('a command that fails gives its code and why, and what prints is as it was', async () => {
  const { write } = process.stdout
  const { code, text } = await runCommand(notes, 'operatoins')
  expect(code).not.toBe(0)
  expect(text).toContain('operations')
  expect(process.stdout.write).toBe(write)
})
