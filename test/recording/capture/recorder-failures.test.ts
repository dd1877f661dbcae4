import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, it, vi } from 'vitest'
import { createRecorder } from '../../../src/recording/capture/recorder.ts'
import { readExchanges } from '../../../src/recording/files/recording-files.ts'
import { RecordingUnusable } from '../../../src/errors.ts'
import { allBytes, collect, imageBytes, REDACTOR, temporaryDirectory } from '../samples.ts'
import { play, PNG, requestHead, responseHead, setUp } from './recorder-setup.ts'

describe('abandon', () => {
  it('writes nothing and leaves no file', async () => {
    const { recorder, directory } = await setUp()
    const tap = recorder.begin(requestHead({ headers: PNG }))
    const sink = tap.response(responseHead({ headers: PNG })).stream()
    await pipeline(Readable.from([imageBytes(100_000)]), tap.requestBody)
    sink.write(imageBytes(100_000))
    tap.abandon(false)
    sink.end(imageBytes(100_000))
    tap.complete()
    tap.abandon(false)
    tap
      .response(responseHead({ headers: PNG }))
      .stream()
      .end(imageBytes(100_000))
    await recorder.flush()

    const { paths, bytes } = await allBytes(directory)
    expect(paths).toEqual(['exchanges.ndjson'])
    expect(bytes.length).toBe(0)
  })

  it('is what happens to an exchange without a response', async () => {
    const { recorder, directory } = await setUp()
    recorder.begin(requestHead()).complete()
    await recorder.flush()

    expect((await allBytes(directory)).bytes.length).toBe(0)
  })

  it('is what happens to an exchange whose body broke off', async () => {
    const { recorder, directory, onError } = await setUp()
    const tap = recorder.begin(requestHead())
    tap.response(responseHead()).stream().destroy(new Error('upstream broke'))
    tap.complete()
    await recorder.flush()

    expect((await allBytes(directory)).bytes.length).toBe(0)
    expect(onError).not.toHaveBeenCalled()
  })

  it('is what happens to all that is under way when the recorder closes', async () => {
    const { recorder, directory } = await setUp()
    play(recorder, { responseBody: 'done' })
    const tap = recorder.begin(requestHead({ headers: PNG }))
    await pipeline(Readable.from([imageBytes(100_000)]), tap.requestBody)
    await recorder.close()
    tap.complete()
    play(recorder, { responseBody: 'late' })

    expect((await allBytes(directory)).paths).toEqual(['exchanges.ndjson'])
    expect(await collect(readExchanges(directory))).toHaveLength(1)
  })
})

it('keeps nothing of a body that begins when the recorder has closed', async () => {
  const { recorder, directory } = await setUp()
  const tap = recorder.begin(requestHead())
  const answer = tap.response(responseHead({ headers: PNG }))
  await recorder.close()
  await pipeline(Readable.from([imageBytes(100_000)]), answer.stream())
  tap.complete()
  await recorder.flush()

  expect((await allBytes(directory)).paths).toEqual(['exchanges.ndjson'])
})

describe('a disk that fails', () => {
  it('stops the recording once, and never the traffic', async () => {
    const { recorder, directory, onError } = await setUp()
    play(recorder, { responseBody: 'before' })
    await recorder.flush()
    const underWay = recorder.begin(requestHead({ headers: PNG }))
    await rm(join(directory, 'bodies'), { recursive: true })
    await writeFile(join(directory, 'bodies'), '')
    const failing = recorder.begin(requestHead({ headers: PNG }))
    await pipeline(Readable.from([imageBytes(100_000), imageBytes(1_000_000)]), failing.requestBody)

    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce())
    expect(onError.mock.calls[0]?.[0]).toBeInstanceOf(RecordingUnusable)
    expect(onError.mock.calls[0]?.[0].message).toContain(`Recording to ${directory} stopped: `)
    failing.response(responseHead()).stream().end('answer')
    failing.complete()
    await pipeline(
      Readable.from([imageBytes(1_000_000)]),
      underWay.response(responseHead({ headers: PNG })).stream(),
    )
    underWay.complete()
    const after = recorder.begin(requestHead({ headers: PNG }))
    await pipeline(Readable.from([imageBytes(1_000_000)]), after.requestBody)
    await pipeline(
      Readable.from([imageBytes(1_000_000)]),
      after.response(responseHead({ headers: PNG })).stream(),
    )
    after.complete()
    after.abandon(false)
    await recorder.close()

    expect(onError).toHaveBeenCalledOnce()
    expect(await collect(readExchanges(directory))).toHaveLength(1)
  })

  it('stops the recording when it fails after an exchange completed', async () => {
    const { recorder, directory, onError } = await setUp()
    await rm(join(directory, 'bodies'), { recursive: true })
    play(recorder, { responseBody: 'x'.repeat(100_000) })
    play(recorder, { responseBody: 'x'.repeat(100_000) })
    await recorder.flush()

    expect(onError).toHaveBeenCalledOnce()
  })

  it('stops the recording when a body cannot be given its name', async () => {
    const { recorder, directory, onError } = await setUp()
    const tap = recorder.begin(requestHead({ headers: PNG }))
    await pipeline(Readable.from([imageBytes(100_000)]), tap.requestBody)
    await rm(join(directory, 'bodies'), { recursive: true })
    tap.response(responseHead()).stream().end()
    tap.complete()
    await recorder.flush()

    expect(onError).toHaveBeenCalledOnce()
  })

  it('needs nobody to hear of it', async () => {
    const directory = await temporaryDirectory()
    const recorder = await createRecorder({ directory, redactor: REDACTOR })
    await rm(join(directory, 'bodies'), { recursive: true })
    play(recorder, { responseBody: 'x'.repeat(100_000) })

    await expect(recorder.flush()).resolves.toBeUndefined()
    await recorder.close()
  })
})

describe('a disk that does not keep up', () => {
  it('has exchanges left out that begin while too much waits, and says so once', async () => {
    const onDrop = vi.fn<() => void>()
    const { recorder, directory } = await setUp({ backlogBytes: 100_000, onDrop })
    for (let i = 0; i < 10; i++) play(recorder, { responseBody: 'x'.repeat(100_000) })
    await recorder.flush()
    play(recorder, { responseBody: 'after' })
    await recorder.flush()

    const { written, dropped, backlogBytes } = recorder.counts()
    expect(onDrop).toHaveBeenCalledOnce()
    expect(dropped).toBeGreaterThan(0)
    expect(written + dropped).toBe(11)
    expect(backlogBytes).toBe(0)
    const recorded = await collect(readExchanges(directory))
    expect(recorded).toHaveLength(written)
    expect(recorded.at(-1)?.response.content.text).toBe('after')
  })
})
