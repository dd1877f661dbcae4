import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What a test inside a test came to. */
export interface InnerTest {
  readonly title: string
  readonly passed: boolean
  readonly message: string
}

const ROOT = resolve(import.meta.dirname, '../..')

/** Test files that are run inside a test. */
export const INNER = {
  allEndpoints: new URL('./inner/all-endpoints.ts', import.meta.url),
  freshState: new URL('./inner/fresh-state.ts', import.meta.url),
  missingTargets: new URL('./inner/missing-targets.ts', import.meta.url),
  plantedBug: new URL('./inner/planted-bug.ts', import.meta.url),
}

/** Runs a test file with vitest in a process of its own. */
export async function runInner(file: URL): Promise<readonly InnerTest[]> {
  const directory = await mkdtemp(join(tmpdir(), 'sim-inner-'))
  try {
    const [config, report] = [join(directory, 'vitest.config.mjs'), join(directory, 'report.json')]
    const test = { include: [relative(ROOT, fileURLToPath(file))], reporters: ['json'], outputFile: report }
    await writeFile(config, `export default ${JSON.stringify({ root: ROOT, test })}`)
    await runVitest(['run', '--config', config])
    return testsOf(await readFile(report, 'utf8'))
  } finally {
    await rm(directory, { recursive: true })
  }
}

function runVitest(args: readonly string[]): Promise<void> {
  const { VITEST: _inner, NODE_V8_COVERAGE: _coverage, ...env } = process.env
  const command = join(ROOT, 'node_modules/vitest/vitest.mjs')
  return new Promise((done) => {
    execFile(process.execPath, [command, ...args], { cwd: ROOT, env }, () => done())
  })
}

function testsOf(report: string): InnerTest[] {
  const { testResults } = JSON.parse(report) as {
    testResults: {
      message: string
      assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
    }[]
  }
  return testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length === 0
      ? [{ title: 'the file', passed: false, message }]
      : assertionResults.map(({ fullName, status, failureMessages }) => ({
          title: fullName,
          passed: status === 'passed',
          message: failureMessages.join('\n'),
        })),
  )
}
