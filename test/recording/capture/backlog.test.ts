import { expect, it } from 'vitest'
import { createRoom } from '../../../src/recording/capture/backlog.ts'

it('lets those wait who come while it is full, until it is not', async () => {
  const room = createRoom(10)
  expect(room.wait()).toBeUndefined()
  room.take(15)
  expect([room.hasSome(), room.isOverfull(), room.taken()]).toEqual([false, false, 15])
  const waiting = room.wait()
  expect(room.wait()).toBe(waiting)
  room.take(6)
  expect(room.isOverfull()).toBe(true)
  room.release(6)
  const early = await Promise.race([waiting?.then(() => 'free'), Promise.resolve('full')])
  room.release(5)
  await waiting
  expect([early, room.hasSome(), room.wait()]).toEqual(['full', true, undefined])
})
