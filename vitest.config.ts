import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that need a process of their own: they measure its memory, or see what others register. */
const APART = ['test/memo.test.ts', 'test/options/json-schema.test.ts']
/** Files that take long, most of it waiting for other processes: they begin first, so that others fill the gaps. */
const FIRST = [
  ...['memory', 'watch', 'drift', 'workers'].map((name) => `test/flow/${name}.test.ts`),
  ...['test/recipes.test.ts', 'test/answers/answers.test.ts', 'test/docs/docs.test.ts'],
]

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      FIRST.findIndex((file) => moduleId.endsWith(file))
    // oxlint-disable-next-line unicorn/no-array-sort -- not that of an array
    return (await super.sort(files)).toSorted((a, b) => rank(b) - rank(a))
  }
}

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    setupFiles: ['test/setup.ts'],
    // For what hangs: a machine may be several times slower than the one that a test was written on.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes at once on an idle machine, and late on a busy one.
    expect: { poll: { timeout: 30_000 } },
    // One more than there are cores, since many tests wait for the processes that they start.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts', 'adapters/*/test/**/*.test.ts'],
          // The large descriptions are heavy, and installed apart: test/corpus/vitest.config.ts.
          exclude: [...configDefaults.exclude, 'test/corpus/**', ...APART],
          // Loading the sources takes longer than most tests: each worker does it once, for all of its files.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'apart', include: APART } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'plugins/**/*.ts', 'adapters/*/src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
})
