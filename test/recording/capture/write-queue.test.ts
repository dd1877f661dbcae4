import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { requestHead, responseHead } from './recorder-setup.ts'
import { InFlight } from '../../../src/recording/capture/tap.ts'
import {
  createBacklog,
  createWriteOrder,
  createWriteQueue,
  type WriteQueueOptions,
} from '../../../src/recording/capture/write-queue.ts'
import type { Capture } from '../../../src/recording/files/har.ts'

describe('a write queue', () => {
  function captureOf(url: string): Capture {
    const timings = { send: 0, wait: 0, receive: 0 }
    return { startedAt: new Date(0), timings, request: requestHead({ url }), response: responseHead() }
  }

  function setUp(options: Partial<WriteQueueOptions> = {}) {
    const batches: string[][] = []
    const written: [number, number][] = []
    const queue = createWriteQueue({
      write: async (captures) => void batches.push(captures.map(({ request }) => request.url)),
      onWritten: (count, bytes) => written.push([count, bytes]),
      onError: () => undefined,
      ...options,
    })
    return { queue, batches, written }
  }

  it('writes together what ended in one turn, and what has to be waited for after what ended before it', async () => {
    const { queue, batches, written } = setUp()
    for (const url of ['1', '2']) queue.add(captureOf(url), 10)
    queue.add(async () => captureOf('3'), 10)
    queue.add(async () => undefined, 5)
    queue.add(captureOf('4'), 10)
    expect(batches).toEqual([])
    await queue.flush()
    expect(batches).toEqual([['1', '2'], ['3'], ['4']])
    expect(written).toEqual([
      [2, 20],
      [1, 10],
      [2, 15],
    ])
  })

  it('lets others have their turn while it has much to write', async () => {
    const { queue, batches } = setUp()
    for (let number = 0; number < 200; number++) queue.add(captureOf(`${number}`), 1)
    await setImmediate()
    await Promise.resolve()
    expect(batches.flat().length).toBeLessThan(200)
    await queue.flush()
    expect(batches.flat()).toEqual(Array.from({ length: 200 }, (_, number) => `${number}`))
  })

  it('flushes what was added before, however much is added after it', async () => {
    const { queue, batches } = setUp()
    let isBusy = true
    const addAnother = (): void =>
      queue.add(async () => {
        if (isBusy) addAnother()
        return setImmediate(undefined)
      }, 1)
    onTestFinished(() => void (isBusy = false))
    addAnother()
    queue.add(captureOf('1'), 1)
    await queue.flush()
    expect(batches).toEqual([['1']])
  })

  it('goes on after what failed, and reports it', async () => {
    const onError = vi.fn<(error: unknown) => void>()
    let writes = 0
    const { queue, written } = setUp({
      onError,
      write: async () => {
        if (writes++ === 0) throw new Error('full')
      },
    })
    queue.add(captureOf('1'), 1)
    queue.add(async () => {
      throw new Error('torn')
    }, 1)
    queue.add(captureOf('2'), 1)
    await queue.flush()
    expect(onError.mock.calls.map(([error]) => (error as Error).message).toSorted()).toEqual(['full', 'torn'])
    expect(written).toEqual([
      [1, 1],
      [2, 2],
    ])
  })
})

describe('a write order', () => {
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
})

describe('a backlog', () => {
  it('lets those wait who come while it is full, until it is not', async () => {
    const backlog = createBacklog(10)
    expect(backlog.wait()).toBeUndefined()
    backlog.take(15)
    expect([backlog.hasCapacity(), backlog.isOverloaded(), backlog.taken()]).toEqual([false, false, 15])
    const waiting = backlog.wait()
    expect(backlog.wait()).toBe(waiting)
    backlog.take(6)
    expect(backlog.isOverloaded()).toBe(true)
    backlog.release(6)
    const early = await Promise.race([waiting?.then(() => 'free'), Promise.resolve('full')])
    backlog.release(5)
    await waiting
    expect([early, backlog.hasCapacity(), backlog.wait()]).toEqual(['full', true, undefined])
  })
})

describe('exchanges in flight', () => {
  it('holds those that have begun and not ended, as a set does', () => {
    const turns = fc.array(fc.tuple(fc.boolean(), fc.nat(5)))
    fc.assert(
      fc.property(turns, (requested) => {
        const members = Array.from({ length: 6 }, (_, name) => ({ name, index: -1 }))
        const [inFlight, model] = [
          new InFlight<(typeof members)[number]>(),
          new Set<(typeof members)[number]>(),
        ]
        for (const [begins, index] of requested) {
          const entry = members[index] as (typeof members)[number]
          if (!begins) expect(inFlight.delete(entry)).toBe(model.delete(entry))
          else if (!model.has(entry)) {
            inFlight.add(entry)
            model.add(entry)
          }
          expect(new Set(inFlight.all())).toEqual(model)
          expect(members.every((each) => each.index >= 0 === model.has(each))).toBe(true)
        }
      }),
    )
  })
})
