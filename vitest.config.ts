import { configDefaults, defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: ['test/**/*.test.ts', 'adapters/*/test/**/*.test.ts'],
    // Heavy, and installed apart: test/corpus/vitest.config.ts.
    exclude: [...configDefaults.exclude, 'test/corpus/**'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts', 'plugins/**/*.ts', 'adapters/*/src/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
  },
})
