import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { driftOf } from '../../src/cli/proxy.ts'
import { createDriftLog } from '../../src/recording/drift/drift-log.ts'
import { temporaryFolder } from '../temporary-folder.ts'

it('writes a report at once, and prints and writes another at the end', () => {
  using folder = temporaryFolder({})
  const file = join(folder.path, 'reports/drift.json')
  const { onDrift } = driftOf({ driftReport: file })
  const read = (): unknown => JSON.parse(readFileSync(file, 'utf8'))
  expect(read()).toEqual(createDriftLog().report())
  const report = { ...createDriftLog().report(), exchanges: 7 }
  const told = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  onDrift?.({ ...report, skipped: 2 })
  const [line] = told.mock.lastCall ?? []
  told.mockRestore()
  expect(line).toBe('2 exchanges were not compared\n')
  expect(read()).toEqual({ ...report, skipped: 2 })
})

it('refuses a file that cannot be written, and tells when it no longer can', () => {
  using folder = temporaryFolder({ taken: '' })
  expect(() => driftOf({ driftReport: join(folder.path, 'taken/drift.json') })).toThrow(
    'could not be written',
  )
  const { onDrift } = driftOf({ driftReport: join(folder.path, 'reports/drift.json') })
  rmSync(join(folder.path, 'reports'), { recursive: true })
  writeFileSync(join(folder.path, 'reports'), '')
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onDrift?.(createDriftLog().report())
  const lines = told.mock.calls.map(([line]) => String(line))
  told.mockRestore()
  expect(lines.join('')).toContain('could not be written')
  expect(existsSync(join(folder.path, 'reports/drift.json'))).toBe(false)
})
