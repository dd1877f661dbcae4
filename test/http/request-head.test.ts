import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { isOwnAuthority } from '../../src/http/request-head.ts'

const socket = (localAddress: string, localPort: number): Socket => ({ localAddress, localPort }) as Socket

describe('the authority of the gateway itself', () => {
  it.for([
    ['127.0.0.1:8080', socket('127.0.0.1', 8080), true],
    ['localhost:8080', socket('127.0.0.1', 8080), true],
    ['LOCALHOST:8080', socket('::1', 8080), true],
    ['[::1]:8080', socket('::1', 8080), true],
    ['127.0.0.1:8080', socket('::ffff:127.0.0.1', 8080), true],
    ['10.0.0.7', socket('10.0.0.7', 80), true],
    ['localhost:8080', socket('10.0.0.7', 8080), false],
    ['127.0.0.1:9090', socket('127.0.0.1', 8080), false],
    ['example.com:8080', socket('127.0.0.1', 8080), false],
    ['a b', socket('127.0.0.1', 8080), false],
    ['127.0.0.1:8080', undefined, false],
  ] as const)('%s on %j: %s', ([authority, connection, isOwn]) => {
    expect(isOwnAuthority(authority, connection)).toBe(isOwn)
  })
})
