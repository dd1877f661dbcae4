import { describe, expect, it } from 'vitest'
import { isLoopback, isOwnName } from '../../src/http/loopback.ts'

describe('this machine', () => {
  it.for(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('has the address %s', (address) => {
    expect(isLoopback(address)).toBe(true)
  })

  it.for(['10.0.0.1', '0.0.0.0', '::', 'localhost', '127.0.0.1.example', ''])(
    'has not the address %s',
    (address) => {
      expect(isLoopback(address)).toBe(false)
    },
  )

  it.for(['localhost', 'LOCALHOST:80', 'a.localhost', '127.0.0.1:8080', '[::1]:80', '[::1]'])(
    'has the name %s',
    (name) => {
      expect(isOwnName(name)).toBe(true)
    },
  )

  it.for(['example.com', 'localhost.example', '10.0.0.1', 'null', ''])('has not the name %s', (name) => {
    expect(isOwnName(name)).toBe(false)
  })
})
