import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from 'sim-gateway/adapter/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { adapter } from '../src/adapter.ts'

const folder = mkdtempSync(join(tmpdir(), 'sim-workspace-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('sim-workspace', () => {
  it('writes a starter fixture, and finds nothing wrong with it', async () => {
    const file = join(folder, 'starter.yaml')
    expect((await runCommand(adapter, 'fixture', 'init', '--output', file)).code).toBe(0)
    expect(readFileSync(file, 'utf8')).toContain('name: nightly load')
    expect((await runCommand(adapter, 'validate', file)).code).toBe(0)
  })

  it('says what is wrong with a fixture by file, line, path and rule', async () => {
    const file = join(folder, 'wrong.yaml')
    writeFileSync(
      file,
      'version: 1\njobs:\n  - name: a\n    tasks:\n      - { task_key: x, depends_on: [{ task_key: y }] }\n',
    )
    const { code, text } = await runCommand(adapter, 'validate', file)
    expect(code).not.toBe(0)
    expect(text).toContain("wrong.yaml:3 /jobs/0: Task 'x' depends on 'y', which does not exist.")
  })

  it('lists its operations', async () => {
    const { code, text } = await runCommand(adapter, 'operations')
    expect(code).toBe(0)
    for (const { id } of adapter.operations) expect(text).toContain(id)
  })
})
