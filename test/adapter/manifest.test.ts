import { createManifest } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

describe('a manifest', () => {
  it('says of each operation all that there is to say', () => {
    const { operations, ...rest } = createManifest(notes)
    expect(rest).toEqual({
      packageVersion: '0.1.0',
      documentedAt: '2026-01-01',
      source: 'https://notes.example/docs',
    })
    expect(operations.map(({ operationId }) => operationId)).toEqual(notes.operations.map(({ id }) => id))
    expect(operations[0]).toEqual({
      operationId: 'listNotes',
      method: 'GET',
      path: '/v1/notes',
      aliases: ['/v0/notes'],
      supportLevel: 'exact',
      family: 'notes',
      version: '1',
      supports: ['size', 'token'],
      limits: { maxSize: 2 },
      variants: [],
      errors: [],
      sideEffects: [],
      tests: [],
      documentation: 'https://notes.example/docs',
      verifiedAt: '2026-01-01',
    })
  })

  it('is JSON', () => {
    const manifest = createManifest(notes)
    expect(JSON.parse(JSON.stringify(manifest))).toEqual(manifest)
  })
})
