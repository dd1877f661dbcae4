import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadPseudonymKey } from '../../../src/recording/redaction/pseudonym-key.ts'
import { RecordingUnusable } from '../../../src/errors.ts'

describe('loadPseudonymKey', () => {
  let directory = ''
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'sim-key-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('makes a key that only its owner can read, once, however many ask', async () => {
    const state = join(directory, 'state')
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadPseudonymKey(state)))
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1)
    expect(keys[0]).toHaveLength(32)
    expect(statSync(join(state, 'redaction.key')).mode & 0o777).toBe(0o600)
    expect(statSync(state).mode & 0o777).toBe(0o700)
  })

  it('refuses a file that is no key, and says where it is', async () => {
    writeFileSync(join(directory, 'redaction.key'), 'short')
    const failed = loadPseudonymKey(directory)
    await expect(failed).rejects.toThrow(RecordingUnusable)
    await expect(failed).rejects.toThrow(/redaction\.key: it holds 5 bytes, not 32\. SIM_STATE_DIR/)
  })
})
