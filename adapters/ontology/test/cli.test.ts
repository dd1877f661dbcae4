import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runAdapter } from 'sim-gateway/adapter'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { adapter } from '../src/adapter.ts'

const folder = mkdtempSync(join(tmpdir(), 'sim-ontology-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.restoreAllMocks())

/** Runs the command in process, and collects what it prints. */
const run = async (...args: string[]): Promise<{ code: number | undefined; text: string }> => {
  const printed: string[] = []
  const take = (chunk: unknown): boolean => printed.push(String(chunk)) > 0
  vi.spyOn(process.stdout, 'write').mockImplementation(take)
  vi.spyOn(process.stderr, 'write').mockImplementation(take)
  vi.spyOn(console, 'log').mockImplementation((text) => void printed.push(`${String(text)}\n`))
  vi.spyOn(console, 'error').mockImplementation((text) => void printed.push(`${String(text)}\n`))
  const code = await runAdapter(adapter, args)
  vi.restoreAllMocks()
  return { code, text: printed.join('') }
}

describe('sim-ontology', () => {
  it('writes a starter fixture, and finds nothing wrong with it', async () => {
    const file = join(folder, 'starter.yaml')
    expect((await run('fixture', 'init', '--output', file)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('apiName: acme')
    expect((await run('validate', file)).code).toBe(0)
  })

  it('tells what is wrong with a fixture by file, line, path and rule', async () => {
    const file = join(folder, 'wrong.yaml')
    writeFileSync(
      file,
      'version: 1\nontologies:\n  - apiName: a\n    objectTypes:\n      - { apiName: T, primaryKey: x, properties: { y: string } }\n',
    )
    const { code, text } = await run('validate', file)
    expect(code).not.toBe(0)
    expect(text).toMatch(/wrong\.yaml:5 \/ontologies\/0\/objectTypes\/0\/primaryKey: "x" is no property of T/)
  })

  it('lists its operations', async () => {
    const { code, text } = await run('operations')
    expect(code).toBe(0)
    for (const { id } of adapter.operations) expect(text).toContain(id)
  })
})
