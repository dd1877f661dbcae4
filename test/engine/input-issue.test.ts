import { expect, it } from 'vitest'
import { inputIssue } from '../../src/engine/input-issue.ts'

it.for([
  ['required', ['a', 'b'], 'missing', { c: 1 }],
  ['type', ['a', 'c'], 'type_error', 1],
  ['format', ['a', 'x', 'y'], 'format', null],
  ['format', ['toString'], 'format', null],
] as const)('a violation of %s at %j is %s of %j', ([keyword, path, type, input]) => {
  const issue = inputIssue({ keyword, path, message: 'm' }, { a: { c: 1 } }, ['query', 'q'])
  expect(issue).toEqual({ type, loc: ['query', 'q', ...path], msg: 'm', input })
})
