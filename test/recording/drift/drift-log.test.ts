import { describe, expect, it } from 'vitest'
import { sample } from '../inference/samples.ts'
import { createDriftLog, driftText, findingText } from '../../../src/recording/drift/drift-log.ts'
import { finding, inRequest } from '../../../src/shape/finding.ts'

describe('drift log', () => {
  const one = sample(2, 'GET /a/1')

  it('reports what is new once, counts the rest and sums it up', () => {
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

describe('drift text', () => {
  it('reports by route what drifted, how often and where first', () => {
    const log = createDriftLog()
    log.add('GET /b', sample(0, 'GET /b'), [finding('newly null', '/x/-', 'string', 'null')])
    log.add('GET /a', sample(1, 'GET /a'), [])
    log.skip()
    const report = log.report()
    expect(driftText({ ...report, dropped: 2 })).toBe(
      [
        'GET /a: 1 exchange, no drift',
        'GET /b: 1 exchange',
        '  breaking: newly null at /x/-: string -> null',
        '    1 of 1, first #1 GET /b 200',
        '2 more differences were found and not kept',
        '1 exchange was not compared',
        '',
      ].join('\n'),
    )
  })

  it('says which part of a request it is about', () => {
    const added = finding('field added', '/sort', 'nothing', 'string')
    expect(findingText(inRequest(added, 'query'))).toBe(
      'additive: field added at query /sort: nothing -> string',
    )
    expect(findingText(inRequest(added, 'request-body'))).toContain('at request body /sort')
  })
})
