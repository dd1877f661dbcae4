import { describe, expect, it } from 'vitest'
import type { HttpRequest } from '../../src/message.ts'
import { createAnswerCache } from '../../src/pipeline/answer-cache.ts'

const call = (host: string, path: string, search: string): HttpRequest => ({
  method: 'GET',
  scheme: 'http',
  host,
  path,
  search,
  headers: {},
})

describe('kept answers', () => {
  it('are found by host, path and query', () => {
    const kept = createAnswerCache(100_000)
    kept?.set(call('a', '/x', 'q=1'), 'one')
    kept?.set(call('b', '/x', 'q=1'), 'two')
    kept?.set(call('a', '/x', ''), 'three')
    expect(kept?.get(call('a', '/x', 'q=1'))).toBe('one')
    expect(kept?.get(call('b', '/x', 'q=1'))).toBe('two')
    expect(kept?.get(call('a', '/x', ''))).toBe('three')
    expect(kept?.get(call('a', '/y', ''))).toBeUndefined()
  })

  it('take no more bytes than they may: what was not used for longest goes, and what is too large is not kept', () => {
    const kept = createAnswerCache(10_000)
    const at = (index: number): HttpRequest => call('a', `/${index}`, '')
    for (let index = 0; index < 10; index++) {
      kept?.set(at(index), 'x'.repeat(2000))
      kept?.get(at(0))
    }
    const held = Array.from({ length: 10 }, (_, index) => index).filter(
      (index) => kept?.get(at(index)) !== undefined,
    )
    expect(held).toEqual([0, 7, 8, 9])
    kept?.set(at(10), 'x'.repeat(20_000))
    expect(kept?.get(at(10))).toBeUndefined()
  })

  it('are none where no bytes are allowed', () => {
    expect(createAnswerCache(0)).toBeUndefined()
  })
})
