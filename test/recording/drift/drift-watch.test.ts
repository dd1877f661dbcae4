import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createRoute } from '../../../src/engine/route.ts'
import { createDriftWatch } from '../../../src/recording/drift/drift-watch.ts'
import type { Observed } from '../../../src/recording/drift/observe.ts'
import { REDACTOR, temporaryDirectory, writeRecording } from '../samples.ts'

const route = createRoute('GET', '/users/{id}', {
  output: {
    type: 'object',
    properties: { id: { type: 'integer' }, token: { type: 'integer' }, password: { maxLength: 3 } },
  },
})

function observed(
  body: Buffer,
  headers: readonly (readonly [string, string])[] = [],
  method = 'GET',
): Observed {
  return {
    request: { method, url: 'http://127.0.0.1:1/users/7?api_key=hunter2', httpVersion: '1.1', headers: [] },
    sent: { wireSize: 0 },
    response: {
      ...{ status: 200, statusText: 'OK', httpVersion: '1.1' },
      headers: [['content-type', 'application/json'], ...headers],
    },
    received: { wireSize: body.length, bytes: body },
  }
}

function watching(recording?: string) {
  const reported: unknown[] = []
  const errors: string[] = []
  const watch = createDriftWatch({
    isStateful: false,
    redactor: REDACTOR,
    recording,
    onDrift: (_sample, finding) => reported.push(finding.pointer),
    onError: (error) => errors.push(error.message),
  })
  return { watch, reported, errors }
}

describe('a drift watch', () => {
  it('reads compressed answers, and reports each difference once', async () => {
    const { watch, reported } = watching()
    const body = gzipSync('{"id":"7"}')
    for (let turn = 0; turn < 3; turn++) watch.note(observed(body, [['content-encoding', 'gzip']]), route)
    expect(await watch.report()).toMatchObject({
      exchanges: 3,
      routes: [{ drifts: [{ pointer: '/id', exchanges: 3 }] }],
    })
    expect(reported).toEqual(['/id'])
    watch.clear()
    expect(await watch.report()).toMatchObject({ exchanges: 0, routes: [] })
  })

  it('takes hidden secrets for no difference, and reports none', async () => {
    const { watch } = watching()
    watch.note(observed(Buffer.from('{"id":"hunter2","token":12345,"password":"hunter2 and more"}')), route)
    watch.note(observed(Buffer.from('{}')), undefined)
    const report = await watch.report()
    expect(report.routes.flatMap(({ drifts }) => drifts.map(({ pointer }) => pointer))).toEqual(['/id', ''])
    expect(JSON.stringify(report)).not.toContain('hunter2')
  })

  it('compares what is not declared with the recording', async () => {
    const json = [['content-type', 'application/json']] as const
    const directory = await writeRecording(await temporaryDirectory(), {
      ...{ url: 'http://other.example.com/users/1', responseHeaders: json, responseBody: '{"id":1}' },
    })
    const { watch } = watching(directory)
    watch.note(observed(Buffer.from('{"id":"x"}')), undefined)
    expect(await watch.report()).toMatchObject({
      routes: [{ route: 'GET /users/{id}', drifts: [{ pointer: '/id' }] }],
    })
  })

  it('goes on without a recording that cannot be read', async () => {
    const { watch, errors } = watching('/nowhere')
    watch.note(observed(Buffer.from('{}')), undefined)
    watch.note(observed(Buffer.from('{}')), undefined)
    expect(await watch.report()).toMatchObject({ exchanges: 2, drifts: 1 })
    expect(errors).toEqual([expect.stringContaining('Cannot read the recording: ENOENT')])
  })

  it('skips what it has no capacity for, and passes over methods that are not compared', async () => {
    const { watch } = watching()
    const large = observed(Buffer.from(`{"x":"${'y'.repeat(1_000_000)}"}`))
    for (let index = 0; index < 40; index++) watch.note(large, route)
    watch.note(observed(Buffer.from('{}'), [], 'CONNECT'), route)
    const { exchanges, skipped } = await watch.report()
    expect([exchanges, skipped]).toEqual([33, 7])
  })

  it('goes on after a model that is none', async () => {
    const { watch, errors } = watching()
    const broken = createRoute('GET', '/x', { output: { $ref: '#/nowhere' } })
    watch.note(observed(Buffer.from('{}')), broken)
    watch.note(observed(Buffer.from('{}')), route)
    expect(await watch.report()).toMatchObject({ exchanges: 1, skipped: 1 })
    expect(errors).toHaveLength(1)
  })
})
