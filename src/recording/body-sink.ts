import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { BodyFile } from './body-file.ts'
import { CHECKED_BYTES } from './decode.ts'
import { INLINE_BYTES } from './files.ts'
import { looksLikeJson } from './redact-json.ts'

/** A body as it came by, not yet decoded; `bytes` is absent from one too large to be looked into. */
export type TakenBody =
  | { readonly wireSize: number; readonly bytes?: Buffer }
  | { readonly wireSize: number; readonly sha256: string }

/** Gathers one body as it streams by. */
export interface BodySink {
  /** Gets the chunks. It never fails: what cannot be kept is swallowed. */
  readonly writable: Writable
  /** About how many bytes came until now: those that are just being kept may count twice. */
  size(): number
  /** All that was written before this call; undefined when the stream was destroyed before its end. */
  take(): Promise<TakenBody | undefined>
  /** Swallows what is still to come and removes what was stored. */
  discard(): Promise<void>
}

/** What a sink needs of its recorder. */
export interface BodySinkOptions {
  /** Whether the body must be looked into for secrets, and so may not reach the disk as it is. */
  readonly isChecked: boolean
  readonly createBodyFile: () => Promise<BodyFile>
  /** Hears of the error that made a body unwritable. */
  readonly onError: (error: unknown) => void
  /** What the next chunk must wait for, if anything. */
  readonly room: () => Promise<void> | undefined
}

const HIGH_WATER_BYTES = 256 * 1024

/**
 * Keeps a body in memory up to 32 KiB and streams a longer one to a file.
 * One that must be checked stays in memory up to `CHECKED_BYTES`, and above is only counted.
 */
export function createBodySink({ isChecked, createBodyFile, onError, room }: BodySinkOptions): BodySink {
  let mustCheck = isChecked
  let chunks: Buffer[] = []
  let wireSize = 0
  let file: BodyFile | undefined
  let isTaken = false
  let isSwallowing = false
  let working = Promise.resolve()
  // Written by `take`: it comes through when all before it did. The source itself may never end.
  const last = Buffer.alloc(0)

  const keep = async (chunk: Buffer): Promise<void> => {
    // A body that is being taken is what the others wait for.
    const isFree = isTaken || isSwallowing ? undefined : room()
    if (isFree !== undefined) await isFree
    isSwallowing ||= chunk === last
    if (isSwallowing) return
    wireSize += chunk.length
    if (file !== undefined) return file.write(chunk)
    chunks.push(chunk)
    if (wireSize <= INLINE_BYTES) return
    // JSON is sent under types of all kinds.
    mustCheck ||= looksLikeJson(Buffer.concat(chunks).toString('utf8', 0, 1024))
    if (!mustCheck) file = await createBodyFile()
    await file?.write(Buffer.concat(chunks))
    if (!mustCheck || wireSize > CHECKED_BYTES) chunks = []
  }
  const remove = async (): Promise<void> => {
    isSwallowing = true
    await working
    const unwanted = file
    file = undefined
    chunks = []
    await unwanted?.discard().catch(onError)
  }
  let removing: Promise<void> | undefined
  const discard = (): Promise<void> => (removing ??= remove())
  const isBroken = (): boolean => writable.destroyed && !writable.writableFinished
  const writable = createWritable(
    (chunk) => (working = keep(chunk).catch(onError)),
    () => isBroken() && void discard(),
  )
  return {
    writable,
    size: () => wireSize + writable.writableLength,
    discard,
    async take() {
      isTaken = true
      if (writable.writableEnded) await finished(writable).catch(() => undefined)
      else await new Promise((resolve) => writable.write(last, resolve))
      if (isBroken()) return discard().then(() => undefined)
      const kept = file
      file = undefined
      if (kept !== undefined) return { wireSize, sha256: await kept.keep() }
      return wireSize > CHECKED_BYTES ? { wireSize } : { wireSize, bytes: Buffer.concat(chunks) }
    },
  }
}

/** A stream that takes all and keeps nothing. */
export function createSwallow(): Writable {
  return createWritable(() => undefined)
}

function createWritable(
  keep: (chunk: Buffer) => Promise<void> | undefined,
  onDestroy?: () => void,
): Writable {
  const writable = new Writable({
    highWaterMark: HIGH_WATER_BYTES,
    write(chunk: Buffer, _encoding, accept) {
      void Promise.resolve(keep(chunk)).then(() => accept())
    },
    destroy(_error, done) {
      onDestroy?.()
      done(null)
    },
  })
  // Writing after the end is an error even to a stream that takes all.
  return writable.on('error', () => undefined)
}
