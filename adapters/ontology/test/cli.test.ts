import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from 'sim-gateway/adapter/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { adapter } from '../src/adapter.ts'

const folder = mkdtempSync(join(tmpdir(), 'sim-ontology-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('sim-ontology', () => {
  it('writes a starter fixture, and finds nothing wrong with it', async () => {
    const file = join(folder, 'starter.yaml')
    expect((await runCommand(adapter, 'fixture', 'init', '--output', file)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('apiName: acme')
    expect((await runCommand(adapter, 'validate', file)).code).toBe(0)
  })

  it('says what is wrong with a fixture by file, line, path and rule', async () => {
    const file = join(folder, 'wrong.yaml')
    writeFileSync(
      file,
      'version: 1\nontologies:\n  - apiName: a\n    objectTypes:\n      - { apiName: T, primaryKey: x, properties: { y: string } }\n',
    )
    const { code, text } = await runCommand(adapter, 'validate', file)
    expect(code).not.toBe(0)
    expect(text).toMatch(
      /wrong\.yaml:5 \/ontologies\/0\/objectTypes\/0\/primaryKey: "x" is not a property of T/,
    )
  })

  it('lists its operations', async () => {
    const { code, text } = await runCommand(adapter, 'operations')
    expect(code).toBe(0)
    for (const { id } of adapter.operations) expect(text).toContain(id)
  })
})
