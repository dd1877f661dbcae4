import { hash } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { temporaryDirectory } from '../samples.ts'
import {
  type BodySink,
  type BodySinkOptions,
  captureBody,
  createBodySink,
  createSwallow,
} from '../../../src/recording/capture/body-sink.ts'
import { collectGarbage } from '../../../src/engine/collect-garbage.ts'
import { createBodyFile } from '../../../src/recording/files/body-files.ts'

describe('a body sink', () => {
  const KIB_40 = Buffer.alloc(40 * 1024, 0xff)

  interface Setup {
    readonly sink: BodySink
    readonly directory: string
    readonly onError: ReturnType<typeof vi.fn<(error: unknown) => void>>
  }

  async function setUp(options: Partial<BodySinkOptions> = {}): Promise<Setup> {
    const directory = await temporaryDirectory()
    const onError = vi.fn<(error: unknown) => void>()
    const sink = createBodySink({
      isChecked: false,
      createBodyFile: () => createBodyFile(directory),
      onError,
      untilFree: () => undefined,
      patienceMs: 10_000,
      ...options,
    })
    return { sink, directory, onError }
  }

  function gate(): { promise: Promise<void>; resolve: () => void } {
    let resolve = (): void => undefined
    const promise = new Promise<void>((open) => {
      resolve = open
    })
    return { promise, resolve }
  }

  it('keeps no more memory than the body has, however much pieces of it were read along with', async () => {
    const { sink } = await setUp({ isChecked: true })
    const before = process.memoryUsage().arrayBuffers
    for (let count = 0; count < 300; count++) {
      sink.writable.write(Buffer.alloc(2 ** 20).subarray(0, 1))
      // What came while it was kept is kept in one piece.
      sink.writable.write(Buffer.alloc(2048))
      await vi.waitUntil(() => sink.writable.writableLength === 0, { interval: 0 })
    }
    collectGarbage()
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 2 ** 20)
    sink.writable.end()
    expect(await sink.take()).toMatchObject({ wireSize: 300 * 2049 })
  })

  it('keeps a short body in memory', async () => {
    const { sink, directory } = await setUp()
    sink.writable.write('one ')
    sink.writable.end('two')

    expect(await sink.take()).toEqual({ wireSize: 7, bytes: Buffer.from('one two') })
    expect(sink.size()).toBe(7)
    expect(await readdir(directory)).toEqual([])
  })

  it('streams a longer binary body to a file', async () => {
    const { sink, directory } = await setUp()
    for (let i = 0; i < 3; i++) sink.writable.write(KIB_40)
    sink.writable.end()
    const taken = await sink.take()

    expect(taken).toEqual({ wireSize: 3 * KIB_40.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await readdir(directory)).toEqual([(taken as { sha256: string }).sha256])
  })

  it('keeps a longer body that must be checked off the disk', async () => {
    const { sink, directory } = await setUp({ isChecked: true })
    for (let i = 0; i < 3; i++) sink.writable.write(KIB_40)

    expect(await sink.take()).toEqual({
      wireSize: 3 * KIB_40.length,
      bytes: Buffer.concat([KIB_40, KIB_40, KIB_40]),
    })
    expect(await readdir(directory)).toEqual([])
  })

  it('checks a long body that starts like JSON whatever its type', async () => {
    const { sink, directory } = await setUp()
    sink.writable.write('{"token":')
    sink.writable.write(KIB_40)

    expect(await sink.take()).toMatchObject({ wireSize: KIB_40.length + 9, bytes: expect.any(Buffer) })
    expect(await readdir(directory)).toEqual([])
  })

  it.for([true, false])(
    'keeps of a body that is too large what it begins with, if it is text, and its hash: %s',
    async (isChecked) => {
      const { sink, directory } = await setUp({ isChecked, maxBytes: 100_000 })
      const parts = [Buffer.alloc(60_000, 'a'), Buffer.alloc(40_000, 'b'), Buffer.from('c'), Buffer.from('d')]
      for (const part of parts) sink.writable.write(part)
      const whole = Buffer.concat(parts)

      expect(await sink.take()).toEqual({
        wireSize: 100_002,
        digest: hash('sha256', whole),
        head: isChecked ? whole.subarray(0, 65_536) : undefined,
      })
      expect(await readdir(directory)).toEqual([])
    },
  )

  it('swallows what comes after it was taken', async () => {
    const { sink } = await setUp()
    sink.writable.write('one')
    const taken = sink.take()
    sink.writable.write('two')

    expect(await taken).toEqual({ wireSize: 3, bytes: Buffer.from('one') })
    sink.writable.end('three')
    await once(sink.writable, 'finish')
  })

  it('gives nothing when its stream was destroyed early, and removes its file', async () => {
    const { sink, directory } = await setUp()
    await new Promise((written) => sink.writable.write(KIB_40, written))
    sink.writable.destroy(new Error('the source broke'))

    expect(await sink.take()).toBeUndefined()
    expect(await readdir(directory)).toEqual([])
  })

  it('gives nothing when its stream was ended and then destroyed', async () => {
    const { sink } = await setUp()
    sink.writable.end(KIB_40)
    sink.writable.destroy()

    expect(await sink.take()).toBeUndefined()
  })

  it('removes its file when it is discarded, and still lets the source go on', async () => {
    const { sink, directory } = await setUp()
    await new Promise((written) => sink.writable.write(KIB_40, written))
    expect(await readdir(directory)).toHaveLength(1)
    await sink.discard()
    expect(await readdir(directory)).toEqual([])

    expect(sink.writable.write(Buffer.alloc(1024 * 1024))).toBe(false)
    await once(sink.writable, 'drain')
    expect(await readdir(directory)).toEqual([])
  })

  it('reports a file that cannot be made, and lets the source go on', async () => {
    const failure = new Error('disk full')
    const { sink, onError } = await setUp({ createBodyFile: () => Promise.reject(failure) })

    expect(sink.writable.write(Buffer.alloc(1024 * 1024))).toBe(false)
    await once(sink.writable, 'drain')
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure)
  })

  it('reports a file that cannot be removed', async () => {
    const failure = new Error('disk gone')
    const { sink, onError } = await setUp({
      createBodyFile: async () => ({
        write: async () => undefined,
        keep: async () => '',
        discard: () => Promise.reject(failure),
      }),
    })
    await new Promise((written) => sink.writable.write(KIB_40, written))
    await sink.discard()

    expect(onError).toHaveBeenCalledExactlyOnceWith(failure)
  })

  it('holds its source back until there is capacity', async () => {
    const { promise, resolve } = gate()
    const { sink } = await setUp({ untilFree: () => promise })
    expect(sink.writable.write(Buffer.alloc(1024 * 1024))).toBe(false)
    const drained = once(sink.writable, 'drain')
    await expect(Promise.race([drained, Promise.resolve('waits')])).resolves.toBe('waits')
    resolve()
    await drained

    expect(sink.size()).toBe(1024 * 1024)
  })

  it('waits for no capacity once it is being taken', async () => {
    const first = gate()
    const waits = [first.promise, new Promise<void>(() => undefined)]
    const { sink } = await setUp({ untilFree: () => waits.shift() })
    sink.writable.write('one')
    sink.writable.write('two')
    const taken = sink.take()
    first.resolve()

    expect(await taken).toEqual({ wireSize: 6, bytes: Buffer.from('onetwo') })
  })

  it('raises no error when it is written to after its end', async () => {
    const { sink } = await setUp()
    sink.writable.end('one')
    sink.writable.write('two')
    await once(sink.writable, 'close')

    expect(sink.writable.errored).toMatchObject({ code: 'ERR_STREAM_WRITE_AFTER_END' })
  })

  it('swallows all in a stream made for it', async () => {
    const swallow = createSwallow()
    swallow.write(KIB_40)
    swallow.end()

    await once(swallow, 'finish')
    expect(swallow.writableFinished).toBe(true)
  })

  it('is given up when its source was held back for too long, which then goes on', async () => {
    const onGiveUp = vi.fn<() => void>()
    const { sink, directory } = await setUp({
      patienceMs: 5,
      onGiveUp,
      createBodyFile: () => new Promise(() => undefined),
    })
    expect(sink.writable.write(Buffer.alloc(1024 * 1024))).toBe(false)
    await once(sink.writable, 'drain')
    sink.writable.end('more')
    await once(sink.writable, 'finish')

    expect(onGiveUp).toHaveBeenCalledOnce()
    expect(await readdir(directory)).toEqual([])
  })

  it('reports how long its source was held back, and how much it holds in memory', async () => {
    const { promise, resolve } = gate()
    const onWait = vi.fn<(ms: number) => void>()
    const { sink } = await setUp({ onWait, untilFree: () => promise, onChunk: undefined })
    sink.writable.write(Buffer.alloc(300_000))
    setTimeout(resolve, 20)
    await once(sink.writable, 'drain')

    expect(onWait).toHaveBeenCalledOnce()
    expect(sink.held()).toBe(0)
  })

  it('waits for no capacity once it is discarded', async () => {
    const { sink } = await setUp({ untilFree: () => new Promise(() => undefined) })
    sink.writable.write('one')

    await expect(sink.discard()).resolves.toBeUndefined()
  })
})

describe('captureBody', () => {
  const text = Buffer.from('{"a":1}')
  const gzipped = gzipSync(text)

  it('decodes a body and keeps its size on the wire', async () => {
    const captured = await captureBody({ wireSize: gzipped.length, bytes: gzipped }, [
      ['Content-Encoding', 'gzip'],
    ])

    expect(captured).toEqual({ wireSize: gzipped.length, bytes: text, codings: 'gzip' })
  })

  it('passes a body in a file on', async () => {
    const taken = { wireSize: 40_000, sha256: 'a'.repeat(64) }

    expect(await captureBody(taken, [['content-encoding', 'gzip']])).toEqual(taken)
  })

  it.for([
    ['gzip', 'not valid gzip'],
    ['compress', "encoded as 'compress', which is not known"],
  ] as const)('leaves out JSON that is wrongly encoded as %s', async ([coding, problem]) => {
    const headers = [
      ['content-type', 'application/json'],
      ['content-encoding', coding],
    ] as const

    expect(await captureBody({ wireSize: 7, bytes: text }, headers)).toEqual({
      wireSize: 7,
      omitted: `${problem}, so it could not be checked for secrets`,
      digest: hash('sha256', text),
    })
  })

  it('leaves out a binary body that cannot be decoded, too', async () => {
    const headers = [
      ['content-type', 'image/png'],
      ['content-encoding', 'compress'],
    ] as const

    expect(await captureBody({ wireSize: 7, bytes: text }, headers)).toMatchObject({
      omitted: expect.stringContaining("encoded as 'compress', which is not known"),
      digest: hash('sha256', text),
    })
  })
})
