import { writeFileSync } from 'node:fs'
import { Session, type Profiler } from 'node:inspector'
import { join, relative, resolve } from 'node:path'
import { afterAll, expect } from 'vitest'

// A set-up file: writes how many functions of each source file a test file has run.
const ROOT = resolve(import.meta.dirname, '../..')
const SOURCES = /^(?:src|plugins)\/.*\.ts$/
const shared = globalThis as { functionsRun?: Session }

if (shared.functionsRun === undefined) {
  shared.functionsRun = new Session()
  shared.functionsRun.connect()
  shared.functionsRun.post('Profiler.enable')
  shared.functionsRun.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
}
const session = shared.functionsRun

afterAll(() => {
  const counts: Record<string, number> = {}
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => {
    for (const { url, functions } of result) {
      const file = relative(ROOT, url.replace(/^file:\/\//, ''))
      if (SOURCES.test(file)) counts[file] = (counts[file] ?? 0) + functions.filter(hasRun).length
    }
  })
  const test = relative(ROOT, expect.getState().testPath ?? '')
  const file = join(process.env['SIM_FUNCTIONS_RUN'] ?? '', `${test.replaceAll('/', '+')}.json`)
  writeFileSync(file, JSON.stringify({ test, counts }))
})

// What runs when a file is loaded says nothing: every test loads nearly everything.
function hasRun({ functionName, ranges }: Profiler.FunctionCoverage): boolean {
  const [whole] = ranges
  return functionName !== '' && whole !== undefined && whole.count > 0 && whole.startOffset > 0
}
