import { expect, it, vi } from 'vitest'
import { createWriteOrder } from '../../../src/recording/capture/write-order.ts'

it('lets an answer wait for what ended before its request came, and for nothing else', async () => {
  const onWait = vi.fn<(ms: number) => void>()
  const order = createWriteOrder(60_000, onWait)
  expect(order.ready(order.mark())).toBeUndefined()
  order.ended()
  order.ended()
  const mark = order.mark()
  const ready = (): Promise<void> | undefined => order.ready(mark)
  order.ended()
  const waiting = ready()
  order.written(1)
  expect(ready()).toBeInstanceOf(Promise)
  order.written(1)
  await waiting
  expect(ready()).toBeUndefined()
  expect(onWait).toHaveBeenCalled()
  order.written(1)
})

it('lets nobody wait longer than it may, nor again until it has caught up', async () => {
  const order = createWriteOrder(5, () => undefined)
  order.ended()
  await order.ready(order.mark())
  expect(order.ready(order.mark())).toBeUndefined()
  order.written(1)
  order.ended()
  expect(order.ready(order.mark())).toBeInstanceOf(Promise)
  order.written(1)
})
