import { expect, it } from 'vitest'
import { finding, type Change, type Severity } from '../../../src/recording/drift/finding.ts'

it.for<[Change, Severity]>([
  ['field removed', 'breaking'],
  ['status not declared', 'breaking'],
  ['new enum value', 'warning'],
  ['field added', 'additive'],
])('calls "%s" %s', ([change, severity]) => {
  expect(finding(change, '/a', 'was', 'is')).toEqual({
    change,
    severity,
    part: 'body',
    pointer: '/a',
    expected: 'was',
    actual: 'is',
  })
})
