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

/** What is each gateway's own, as docs/scale-out.md says, or numbered by session where gateways share a state. */
const OWN = [
  // The journal's numbers.
  'is that of another session, or of all, on request',
  'goes on where an EventSource was cut off, and of sessions that begin meanwhile',
  // Metrics, health and recordings.
  'says that the gateway is there, and what it is',
  'measures what is forwarded',
  'are those that are written or read',
  'are neither sent to upstreams nor recorded',
  // Subscriptions, which are refused.
  'reports changes by graphql-ws, and of those alone that are watched',
  'reports changes by graphql-sse, and ends with the error of what is not in the schema',
]

export default defineConfig({
  plugins: [shareState],
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'], externalConditions: ['source'] } },
  test: {
    include: SUITES,
    testNamePattern: new RegExp(`^(?!.*(${OWN.join('|')})$)`),
    setupFiles: ['test/setup.ts'],
    globalSetup: ['test/shared-state/redis.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    isolate: false,
  },
})
