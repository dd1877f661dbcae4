import { describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/control/metrics.ts'
import { open } from './ask.ts'

describe('metrics', () => {
  it('count requests by route, mode and status, and measure their time', async () => {
    const { ask } = open()
    await ask('GET', '/users')
    await ask('POST', '/users', { name: 'a' })
    await ask('GET', '/users/99')
    await ask('GET', '/one')
    await ask('GET', '/two')
    const { body, headers } = await ask('GET', '/__sim/metrics')
    expect(headers['content-type']).toContain('text/plain; version=0.0.4')
    expect(body).toContain('sim_requests_total{route="GET /users",mode="simulate",status="200"} 1')
    expect(body).toContain('sim_requests_total{route="GET /users/{id}",mode="simulate",status="404"} 1')
    expect(body).toContain('sim_requests_total{route="undeclared",mode="simulate",status="404"} 2')
    expect(body).toContain('sim_request_duration_seconds_count{route="GET /users",mode="simulate"} 1')
    expect(body).toMatch(/^sim_store_items 1$/m)
    expect(body).toMatch(/^sim_sessions 1$/m)
    expect(body).toMatch(/^sim_recorder_backlog_bytes 0$/m)
  })

  it('have so many labels for routes and no more', async () => {
    const metrics = createMetrics({
      sessions: { all: () => [] } as never,
      pools: () => [{ origin: 'http://a', connected: 2, running: 1, pending: 0 }],
      violations: () => [],
      shadow: () => ({ compared: 0, dropped: 0, failed: 0 }),
      recording: () => [
        { backlogBytes: 5, written: 3, dropped: 1, waits: 2, waitedMs: 1500, isStopped: false },
      ],
    })
    for (let i = 0; i < 1000; i++)
      metrics.note({ route: `GET /${i}`, mode: 'simulate', status: 200, durationMs: 1 })
    const text = await metrics.text()
    expect(text.match(/^sim_requests_total/gm)).toHaveLength(501)
    expect(text).toContain('sim_requests_total{route="other",mode="simulate",status="200"} 500')
    expect(text).toContain('sim_upstream_connections{origin="http://a",state="connected"} 2')
    expect(text).toContain('sim_recorder_backlog_bytes 5')
    expect(await metrics.text()).toMatch(/^sim_recorder_written_total 3$/m)
    expect(text).toMatch(/^sim_recorder_dropped_total 1$/m)
    expect(text).toMatch(/^sim_recorder_waits_total 2$/m)
    expect(text).toMatch(/^sim_recorder_wait_seconds_total 1.5$/m)
  })
})
