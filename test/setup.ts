import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { closeAtEnd } from './at-end.ts'

// A run says the same twice. SIM_TEST_SEED=random looks elsewhere; a failure prints the seed that repeats it.
const wanted = process.env['SIM_TEST_SEED'] ?? '20260101'
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) })

// What is said of each request is for those who watch.
process.env['SIM_LOG_LEVEL'] ??= 'warn'

// Keys that tests make are not those of a user, and stay out of the home directory.
process.env['SIM_STATE_DIR'] ??= mkdtempSync(join(tmpdir(), 'sim-state-'))

closeAtEnd()
