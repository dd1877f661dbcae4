import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureOf } from '../../src/adapter/failure.ts'
import { readJson } from '../../src/adapter/body.ts'

describe('a body', () => {
  it.for(['', ' ', '\r\n'])('is undefined when it is empty: %j', (text) => {
    expect(readJson(Buffer.from(text))).toBeUndefined()
  })

  it('is read as the JSON it is', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        fc.pre(!/__proto__|constructor/.test(JSON.stringify(value)))
        const text = JSON.stringify(value)
        expect(JSON.stringify(readJson(Buffer.from(text)))).toBe(text)
      }),
    )
  })

  it.for([
    ['{"password": hunter2}', 'The body is not JSON: line 1, column 14'],
    ['{"user": "ada",\n "password": "hunter2', 'The body is not JSON: line 2, column 14'],
    ['hunter2', 'The body is not JSON: line 1, column 1'],
    ['{"a": 1, "hunter2": {"__proto__": "hunter2"}}', /^The body cannot be taken: .*forbidden prototype/],
    [`${'['.repeat(300)}"hunter2"${']'.repeat(300)}`, /^The body cannot be taken: Nested deeper than 200/],
    [Buffer.from('hunter2\xff', 'latin1'), 'The body is not UTF-8'],
  ] as const)('is described by where it is malformed, and not by what is there: %s', ([body, reason]) => {
    const raised = raisedBy(() => readJson(Buffer.from(body)))
    expect(raised).toMatchObject({ kind: 'malformed-body', reason: expect.stringMatching(reason) as string })
    expect(JSON.stringify(raised)).not.toContain('hunter2')
  })

  it('is malformed or JSON, and nothing else', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        try {
          readJson(Buffer.from(bytes))
        } catch (error) {
          expect(failureOf(error)).toMatchObject({
            kind: 'malformed-body',
            reason: expect.any(String) as string,
          })
        }
      }),
    )
  })
})

function raisedBy(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return failureOf(error)
  }
}
