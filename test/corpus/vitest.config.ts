import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: ['test/corpus/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    // Times are compared, so nothing else may run beside them.
    fileParallelism: false,
  },
})
