import { describe, expect, it } from 'vitest'
import { readHostList } from '../../src/routing/host-list.ts'

describe('a list of hosts', () => {
  it.for([
    [['api.example.com'], { name: 'api.example.com', port: 443 }, true],
    [['api.example.com'], { name: 'www.example.com', port: 443 }, false],
    [['*.example.com'], { name: 'a.b.example.com', port: 80 }, true],
    [['*.example.com'], { name: 'example.com', port: 80 }, false],
    [['api.example.com:8443'], { name: 'api.example.com', port: 443 }, false],
    [['a.test', '*'], { name: 'anything', port: 1 }, true],
    [[], { name: 'anything', port: 1 }, false],
  ] as const)('%j has %j: %s', ([texts, host, has]) => {
    expect(readHostList('option', texts)(host)).toBe(has)
  })

  it('has no entries that are no hosts, and says whose they are', () => {
    expect(() => readHostList('tls.intercept', ['https://x'])).toThrow(
      /^tls\.intercept takes hosts .*not 'https:\/\/x'$/,
    )
  })
})
