import { expect, it } from 'vitest'
import { ConfigInvalid, OptionInvalid } from '../src/errors.ts'

it('says no user and password of a URL in the message of an error, nor in its answer', () => {
  const error = new OptionInvalid("must be http, not 'htp://ann:p@ss@a.example.com/x?y=b@c' or redis://x@r")
  expect(error.message).toBe("must be http, not 'htp://…@a.example.com/x?y=b@c' or redis://…@r")
  expect(error.body).toMatchObject({ detail: error.message })
  const { message } = new ConfigInvalid([
    'a: //ann@b',
    'upstream: http://ann:s3cret@a',
    'mail ann@example.com',
  ])
  expect(message).toBe('a: //ann@b\nupstream: http://…@a\nmail ann@example.com')
})
