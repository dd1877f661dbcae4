import { expect, it, vi } from 'vitest'
import { createWriteOrder } from '../../src/gateway/write-order.ts'

it('lets an answer wait for what ended before its request came, and for nothing else', async () => {
  const onWait = vi.fn<(ms: number) => void>()
  const order = createWriteOrder(60_000, onWait)
  expect(order.mark()()).toBeUndefined()
  const [first, second] = [order.ended(), order.ended()]
  const ready = order.mark()
  const later = order.ended()
  const waiting = ready()
  second()
  expect(ready()).toBeInstanceOf(Promise)
  first()
  await waiting
  expect(ready()).toBeUndefined()
  expect(onWait).toHaveBeenCalled()
  later()
  later()
})

it('lets nobody wait longer than it may, nor again until it has caught up', async () => {
  const order = createWriteOrder(5, () => undefined)
  const done = order.ended()
  await order.mark()()
  expect(order.mark()()).toBeUndefined()
  done()
  const again = order.ended()
  expect(order.mark()()).toBeInstanceOf(Promise)
  again()
})
