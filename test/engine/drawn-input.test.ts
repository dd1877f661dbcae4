import { describe, expect, it } from 'vitest'
import { createDrawnInput } from '../../src/engine/drawn-input.ts'
import { createRoute } from '../../src/engine/route.ts'

const MODEL = { type: 'object', properties: { secret: { type: 'string' } } } as const

describe('what is drawn from', () => {
  it('is a request without its credentials, whose path, session and ordinary fields stay', () => {
    const drawn = createDrawnInput(createRoute('GET', '/links/{token}', { input: MODEL, seedFrom: 'secret' }))
    const ordinary = { token: 'a1', session_id: 's1', page_token: 'p1', key: 'apples', secret: 'x' }
    expect(drawn(ordinary)).toBe(ordinary)
    const credentials = {
      ...{ 'X-API-Key': '4f1c', authorization: 'Bearer x', password: 'apples' },
      ...{ key: 'AIzaSyD3k9xQw71LmZt0Pb8RhVnUcE5fGj2YsQ4' },
    }
    expect(drawn({ q: 'pears', ...credentials })).toEqual({ q: 'pears' })
  })
})
