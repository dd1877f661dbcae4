import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { collectGarbage } from '../../src/engine/collect-garbage.ts'

const MEBIBYTE = 1024 * 1024

/** Something that nobody holds. */
function dropped(bytes: number): WeakRef<Buffer> {
  return new WeakRef(Buffer.alloc(bytes))
}

it('collects garbage once memory has grown by as much as is worth the time', async () => {
  collectGarbage()
  const few = dropped(MEBIBYTE)
  await setImmediate()
  collectGarbage(32 * MEBIBYTE)
  expect(few.deref()).toBeDefined()

  const many = dropped(64 * MEBIBYTE)
  await setImmediate()
  collectGarbage(32 * MEBIBYTE)
  expect([few.deref(), many.deref()]).toEqual([undefined, undefined])
})
