import { describe, expect, it } from 'vitest'
import { createTemporaryStorage } from '../../src/files/contents.ts'

// Apart from other tests, whose directories would hide that the last one has gone.
describe('temporary storage', () => {
  it('waits for the end of the process once, however often it is cleared', () => {
    const fill = () => {
      const storage = createTemporaryStorage()
      storage.append('a', Buffer.from('x'))
      storage.clear()
    }
    fill()
    const waiting = process.listenerCount('exit')
    for (let count = 0; count < 3; count++) fill()
    expect(process.listenerCount('exit')).toBe(waiting)
  })
})
