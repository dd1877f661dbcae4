import { createAdapter } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { LATENCY_FIELDS } from '../../plugins/chaos/chaos-schema.ts'
import { PRESETS } from '../../plugins/chaos/presets.ts'
import { FAULTS } from '../../plugins/faults/index.ts'
import { CHAOS_SCHEMA } from '../../plugins/chaos/chaos-schema.ts'
import { createMetrics } from '../../src/control/metrics.ts'
import { OPERATIONS } from '../../src/control/operations.ts'
import { notes } from '../adapter/notes-adapter.ts'
import { namesIn, rowsOf } from './tables.ts'

function firstNames(page: string, title: string): string[] {
  return rowsOf(page, title).flatMap(([cell = '']) => namesIn(cell))
}

describe('the page of the control plane', () => {
  it('has every operation, and none that is gone', () => {
    const operations = OPERATIONS.map(({ route }) => route.key)
    expect(firstNames('docs/control-plane.md', 'Request').toSorted()).toEqual(
      [...operations, 'GET /__sim/openapi.json'].toSorted(),
    )
    expect(operations.length).toBeGreaterThan(20)
  })

  it('has every metric, and none that is gone', async () => {
    const metrics = createMetrics({
      sessions: { all: () => [] } as never,
      state: {
        health: () => ({
          ...{ reachable: true, version: 0, gateways: [], clockErrorSeconds: 0, roundTripSeconds: 0 },
          ...{ journalPending: 0, journalDropped: 0 },
        }),
        stats: { calls: new Map([['beat', 1]]), errors: new Map([['SIM_STATE_FULL', 1]]), retries: 0 },
        totals: () => Promise.resolve({ sessions: 1, items: 0 }),
      } as never,
      pools: () => [],
      violations: () => [],
      shadow: () => ({ compared: 0, dropped: 0, failed: 0 }),
      recording: () => [
        { backlogBytes: 0, written: 3, dropped: 1, waits: 2, waitedMs: 1500, isStopped: false },
      ],
    })
    const names = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(5)
    expect(firstNames('docs/control-plane.md', 'Metric').toSorted()).toEqual(names.toSorted())
  })
})

describe('the page of adapters', () => {
  const { fetch } = createAdapter(notes)
  const listed = async (path: string, word: string): Promise<string[]> => {
    const { detail } = (await (await fetch(path, { method: 'PURGE' })).json()) as { detail: string }
    return detail.slice(detail.indexOf(word) + word.length).split(', ')
  }

  it('has every control path, and none that is gone', async () => {
    const paths = await listed('/__sim/nothing', 'only ')
    const known = await Promise.all(
      paths.map(async (path) => (await listed(path, 'takes ')).map((method) => `${method} ${path}`)),
    )
    expect(paths.length).toBeGreaterThan(4)
    expect(firstNames('docs/writing-an-adapter.md', 'Control path').toSorted()).toEqual(
      known.flat().toSorted(),
    )
  })
})

describe('the page of chaos', () => {
  it.for([
    ['Preset', Object.keys(PRESETS)],
    ['Fault', [...FAULTS.map(({ name }) => name)]],
    ['Distribution', Object.keys(LATENCY_FIELDS)],
    ['Key of a rule', keysOfRules()],
  ] as const)(
    'has everything that its table of each %s is about, and nothing that is gone',
    ([title, known]) => {
      expect(firstNames('docs/chaos.md', title).toSorted()).toEqual([...known].toSorted())
    },
  )
})

function keysOfRules(): string[] {
  const { rules } = CHAOS_SCHEMA['properties'] as { rules: { items: { properties: object } } }
  return Object.keys(rules.items.properties)
}
