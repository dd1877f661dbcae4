import { describe, expect, it } from 'vitest'
import { createDriftLog } from '../../../src/recording/drift/drift-log.ts'
import { finding } from '../../../src/recording/drift/finding.ts'
import { sample } from '../inference/samples.ts'

const one = sample(2, 'GET /a/1')

describe('a drift log', () => {
  it('tells what is new once, counts the rest and sums it up', () => {
    const log = createDriftLog()
    const gone = finding('field removed', '/a', 'string', 'nothing')
    const bad = (value: string) => finding('constraint broken', '/b', 'must be >= 0', value)
    expect(log.add('GET /a/{id}', one, [gone, bad('-1'), bad('-2')])).toEqual([gone, bad('-2')])
    expect(log.add('GET /a/{id}', one, [gone])).toEqual([])
    log.skip()
    expect(log.report()).toEqual({
      drifts: 2,
      severities: { breaking: 1, warning: 1, additive: 0 },
      ...{ exchanges: 2, skipped: 1, dropped: 0 },
      routes: [
        {
          route: 'GET /a/{id}',
          exchanges: 2,
          drifts: [
            { ...gone, exchanges: 2, example: { number: 3, request: 'GET /a/1', status: 200 } },
            { ...bad('-2'), exchanges: 1, example: { number: 3, request: 'GET /a/1', status: 200 } },
          ],
        },
      ],
    })
  })

  it('holds so many routes and differences, and counts the others', () => {
    const log = createDriftLog()
    for (let index = 0; index < 300; index++)
      log.add('GET /a', one, [finding('field added', `/${index}`, '', '')])
    for (let index = 0; index < 1100; index++) log.add(`GET /${index}`, one, [])
    const { drifts, dropped, exchanges, routes } = log.report()
    expect([drifts, dropped, exchanges, routes.length]).toEqual([200, 100 + 101, 1400, 1000])
  })

  it('forgets all when it is cleared', () => {
    const log = createDriftLog()
    const found = [finding('field added', '/x', 'nothing', 'string')]
    log.add('GET /a', one, found)
    log.clear()
    expect(log.report()).toEqual(createDriftLog().report())
    expect(log.add('GET /a', one, found)).toEqual(found)
  })
})
