import { resolve } from 'node:path'
import { defineConfig, type Plugin } from 'vitest/config'

const GATEWAY = resolve(import.meta.dirname, '../../src/gateway.ts')
const GATEWAYS = resolve(import.meta.dirname, 'gateways.ts')

/** Suites that ask a gateway from outside, and know nothing of where it keeps its state. */
const SUITES = [
  'test/control/{chaos,clock,control,overrides,requests,snapshot,state,store,verify}.test.ts',
  'test/flow/{chaos,control-plane,described-store,operation-answers,sessions,stateful-description}.test.ts',
  'test/graphql/*.test.ts',
]

/** Has tests make several gateways that share their state, where they make one. */
const shareState: Plugin = {
  name: 'share-state',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (importer === undefined || importer === GATEWAYS || !source.endsWith('gateway.ts')) return undefined
    const found = await this.resolve(source, importer, { ...options, skipSelf: true })
    return found?.id === GATEWAY ? GATEWAYS : found
  },
}

export default defineConfig({
  plugins: [shareState],
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: SUITES,
    setupFiles: ['test/setup.ts'],
    globalSetup: ['test/shared-state/redis.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    isolate: false,
  },
})
