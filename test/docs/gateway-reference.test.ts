import { describe, expect, it } from 'vitest'
import { LATENCY_FIELDS } from '../../src/gateway/chaos/latency-shape.ts'
import { PRESETS } from '../../src/gateway/chaos/presets.ts'
import { FAULT_KINDS } from '../../src/gateway/chaos/rule.ts'
import { CHAOS_SCHEMA } from '../../src/gateway/chaos/schema.ts'
import { createMetrics } from '../../src/gateway/control/metrics.ts'
import { OPERATIONS } from '../../src/gateway/control/operations.ts'
import { namesIn, rowsOf } from './tables.ts'

function firstNames(page: string, title: string): string[] {
  return rowsOf(page, title).flatMap(([cell = '']) => namesIn(cell))
}

describe('the page of the control plane', () => {
  it('tells every operation, and none that is gone', () => {
    const operations = OPERATIONS.map(({ route }) => route.key)
    expect(firstNames('docs/control-plane.md', 'Request').toSorted()).toEqual(
      [...operations, 'GET /__sim/openapi.json'].toSorted(),
    )
    expect(operations.length).toBeGreaterThan(20)
  })

  it('tells every metric, and none that is gone', async () => {
    const metrics = createMetrics({
      sessions: { all: () => [] } as never,
      pools: () => [],
      recording: () => [{ backlogBytes: 0, written: 3, dropped: 1, waits: 2, waitedMs: 1500 }],
    })
    const names = [...(await metrics.text()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(5)
    expect(firstNames('docs/control-plane.md', 'Metric').toSorted()).toEqual(names.toSorted())
  })
})

describe('the page of chaos', () => {
  it.for([
    ['Preset', Object.keys(PRESETS)],
    ['Fault', [...FAULT_KINDS]],
    ['Distribution', Object.keys(LATENCY_FIELDS)],
    ['Key of a rule', keysOfRules()],
  ] as const)(
    'tells everything that its table of each %s is about, and nothing that is gone',
    ([title, known]) => {
      expect(firstNames('docs/chaos.md', title).toSorted()).toEqual([...known].toSorted())
    },
  )
})

function keysOfRules(): string[] {
  const { rules } = CHAOS_SCHEMA['properties'] as { rules: { items: { properties: object } } }
  return Object.keys(rules.items.properties)
}
