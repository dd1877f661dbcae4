import { expect, it } from 'vitest'
import { createDriftLog } from '../../../src/recording/drift/drift-log.ts'
import { driftText, findingText } from '../../../src/recording/drift/drift-text.ts'
import { finding, inRequest } from '../../../src/recording/drift/finding.ts'
import { sample } from '../inference/samples.ts'

it('tells by route what drifted, how often and where first', () => {
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
