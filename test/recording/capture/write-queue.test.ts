import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createWriteQueue, type WriteQueueOptions } from '../../../src/recording/capture/write-queue.ts'
import type { Capture } from '../../../src/recording/files/har.ts'
import { requestHead, responseHead } from './recorder-setup.ts'

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

it('goes on after what failed, and tells of it', async () => {
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
