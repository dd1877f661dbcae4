import { expect, it } from 'vitest'
import { prettyLine } from '../../src/http/pretty-line.ts'

const TIME = Date.UTC(2026, 0, 31, 12)
const REQUEST = {
  ...{ level: 'info', time: TIME, method: 'GET', path: '/users/7', status: 200, ms: 1.5, bytes: 2048 },
  ...{ by: 'route', route: 'GET /users/{id}', mode: 'simulate', session: 'ann', id: 3, requestId: 'a-3' },
}

it('says a request on one line', () => {
  expect(prettyLine(JSON.stringify({ ...REQUEST, msg: 'request' }), false)).toBe(
    '12:00:00.000 INFO  GET /users/7 200 1.5 ms 2.0 KiB route GET /users/{id} #3 a-3 session=ann\n',
  )
})

it('has colours of its own alone', () => {
  const line = prettyLine(JSON.stringify({ ...REQUEST, path: '/\u001b[31m\u202e', status: 500 }), true)
  expect(line).toContain('/\\u001b[31m\\u202e \u001b[31m500\u001b[0m')
})

it('says an error with where it happened', () => {
  const err = { type: 'Error', message: 'odd', stack: 'Error: odd\u001b[2J\n    at here' }
  expect(prettyLine(JSON.stringify({ level: 'error', time: TIME, err, msg: 'odd' }), false)).toBe(
    '12:00:00.000 ERROR odd\nError: odd\\u001b[2J\n    at here\n',
  )
})
