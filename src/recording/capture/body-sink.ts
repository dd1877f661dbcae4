import { createHash, hash, type Hash } from 'node:crypto'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { BodyFile } from '../files/body-files.ts'
import { CHECKED_BYTES, decode, decodeBeginning, decodeChunks, isEncoded } from '../files/decode.ts'
import { type BodyCapture, type HeaderPairs, headerValue } from '../files/har.ts'
import { type BodyChunk, INLINE_BYTES } from '../exchange.ts'
import { contentKindOf } from '../../media-type.ts'
import { addChunk } from '../../message.ts'
import { UNCHECKED } from '../redaction/redact-body.ts'
import { looksLikeJson } from '../redaction/redact-json.ts'

/**
 * A body as it arrived, not yet decoded: its bytes, the name of its file, or of one that is too large its SHA-256 and,
 * where that is text, its beginning. It has nothing where it was not kept at all.
 */
export type TakenBody =
  | { readonly wireSize: number; readonly bytes?: Buffer }
  | { readonly wireSize: number; readonly sha256: string }
  | { readonly wireSize: number; readonly digest: string; readonly head: Buffer | undefined }

/** Gathers one body as it streams by. */
export interface BodySink {
  /** Gets the chunks. It never fails: what cannot be kept is swallowed. */
  readonly writable: Writable
  /** About how many bytes came until now: those that are just being kept may count twice. */
  size(): number
  /** About how many of them are in memory. */
  held(): number
  /** All that was written before this call; undefined when the stream was destroyed before its end, or given up. */
  take(): Promise<TakenBody | undefined>
  /** Swallows what is still to come and removes what was stored. */
  discard(): Promise<void>
}

/** What a sink needs of its recorder. */
export interface BodySinkOptions {
  /** Whether the body must be looked into for secrets, and so may not reach the disk as it is. */
  readonly isChecked: boolean
  readonly createBodyFile: () => Promise<BodyFile>
  /** The most bytes that are kept of a body, on the wire; of a longer one, only its beginning and SHA-256 are. */
  readonly maxBytes?: number | undefined
  /** Hears of the error that made a body unwritable. */
  readonly onError: (error: unknown) => void
  /** What the next chunk must wait for, if anything. */
  readonly untilFree: () => Promise<void> | undefined
  /** Hears of each chunk when it comes. */
  readonly onChunk?: ((chunk: Buffer) => void) | undefined
  /** How long the source may be held back in all, in milliseconds; a body that takes longer is given up. */
  readonly patienceMs: number
  /** Hears that the body was given up. */
  readonly onGiveUp?: (() => void) | undefined
  /** Hears how long the source was held back by a chunk. */
  readonly onWait?: ((ms: number) => void) | undefined
}

const HIGH_WATER_BYTES = 256 * 1024

/** How much is kept of the beginning of a body that is too large. */
const HEAD_BYTES = 64 * 1024

/**
 * Keeps a body in memory up to 32 KiB and streams a longer one to a file; one that must be checked stays in memory.
 */
export function createBodySink(options: BodySinkOptions): BodySink {
  const { createBodyFile, onError, untilFree, onChunk, onGiveUp, onWait } = options
  const { maxBytes = CHECKED_BYTES } = options
  let mustCheck = options.isChecked
  let chunks: Buffer[] = []
  let wireSize = 0
  let file: BodyFile | undefined
  // Of a body that is too large.
  let digest: Hash | undefined
  let head: Buffer | undefined
  let isTaken = false
  let isSwallowing = false
  let isGivenUp = false
  let patienceMs = options.patienceMs
  let working: Promise<unknown> = Promise.resolve()
  // Written by `take`: it comes through when all before it did. The source itself may never end.
  const last = Buffer.alloc(0)
  let release = (): void => undefined
  const taking = new Promise<void>((resolve) => (release = resolve))

  const keep = async (chunk: Buffer): Promise<void> => {
    // A body that is being taken is what the others wait for.
    const isFree = isTaken || isSwallowing ? undefined : untilFree()
    if (isFree !== undefined) await Promise.race([isFree, taking])
    isSwallowing ||= chunk === last
    if (isSwallowing) return
    wireSize += chunk.length
    if (digest !== undefined) return void digest.update(chunk)
    if (wireSize > maxBytes) return cut(chunk)
    if (file !== undefined) return file.write(chunk)
    // Most bodies are one chunk.
    if (chunks.length === 0) chunks.push(ownBytes(chunk))
    else addChunk(chunks, ownBytes(chunk))
    if (wireSize <= INLINE_BYTES) return
    // JSON is sent under types of all kinds.
    mustCheck ||= looksLikeJson(Buffer.concat(chunks).toString('utf8', 0, 1024))
    if (!mustCheck) file = await createBodyFile()
    await file?.write(Buffer.concat(chunks))
    if (!mustCheck) chunks = []
  }
  const cut = async (chunk: Buffer): Promise<void> => {
    const unwanted = file
    const bytes = Buffer.concat([...chunks, chunk])
    file = undefined
    chunks = []
    if (mustCheck) head = Buffer.from(bytes.subarray(0, HEAD_BYTES))
    digest = (await unwanted?.discard()) ?? createHash('sha256')
    digest.update(bytes)
  }
  const remove = async (): Promise<void> => {
    isSwallowing = true
    // Backlog may be made only by those who wait for this.
    release()
    await working
    const unwanted = file
    file = undefined
    chunks = []
    await unwanted?.discard().catch(onError)
  }
  let removing: Promise<void> | undefined
  const discard = (): Promise<void> => (removing ??= remove())
  const isBroken = (): boolean => isGivenUp || (writable.destroyed && !writable.writableFinished)
  const giveUp = (): void => {
    isGivenUp = true
    onGiveUp?.()
    void discard()
  }
  const accept = async (chunk: Buffer): Promise<void> => {
    if (isGivenUp) return
    if (chunk.length > 0) onChunk?.(chunk)
    const kept = keep(chunk).catch(onError)
    working = kept
    const waitedMs = await untilKept(kept, patienceMs, giveUp)
    const isHolding = writable.writableNeedDrain
    if (isHolding) patienceMs -= waitedMs
    if (waitedMs > 0 && isHolding) onWait?.(waitedMs)
  }
  const writable = createWritable(accept, () => isBroken() && void discard())
  return {
    writable,
    size: () => wireSize + writable.writableLength,
    held: () =>
      (digest ?? file) === undefined ? wireSize + writable.writableLength : writable.writableLength,
    discard,
    async take() {
      isTaken = true
      release()
      if (writable.writableEnded) await finished(writable).catch(() => undefined)
      else await new Promise((resolve) => writable.write(last, resolve))
      if (isBroken()) return discard().then(() => undefined)
      const kept = file
      file = undefined
      if (kept !== undefined) return { wireSize, sha256: await kept.keep() }
      if (digest !== undefined) return { wireSize, digest: digest.digest('hex'), head }
      return { wireSize, bytes: Buffer.concat(chunks) }
    },
  }
}

// A piece of what was read holds all of that in memory.
function ownBytes(chunk: Buffer): Buffer {
  return chunk.length * 2 < chunk.buffer.byteLength ? Buffer.from(chunk) : chunk
}

/** A stream that takes all and keeps nothing. */
export function createSwallow(): Writable {
  return createWritable(() => undefined)
}

// Resolves with how long it took, in whole milliseconds: none at all where nothing had to be waited for.
async function untilKept(kept: Promise<void>, patienceMs: number, giveUp: () => void): Promise<number> {
  const start = performance.now()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => resolve(giveUp()), Math.max(1, patienceMs))
  })
  await Promise.race([kept, late])
  clearTimeout(timer)
  return Math.floor(performance.now() - start)
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
    // What came while another was kept. An empty chunk marks that what came before it is to be taken.
    writev(queued, accept) {
      void (async () => {
        let before: Buffer[] = []
        for (const { chunk } of queued as readonly { chunk: Buffer }[]) {
          if (chunk.length > 0) before.push(chunk)
          else {
            await keep(Buffer.concat(before))
            await keep(chunk)
            before = []
          }
        }
        if (before.length > 0) await keep(Buffer.concat(before))
        accept()
      })()
    },
    destroy(_error, done) {
      onDestroy?.()
      done(null)
    },
  })
  // Writing after the end is an error even to a stream that takes all.
  return writable.on('error', () => undefined)
}

/** How a body arrived. */
interface Arrival {
  /** When its bytes came. */
  readonly arrived?: readonly BodyChunk[] | undefined
  /** Whether its end is missing. */
  readonly isPartial?: boolean | undefined
}

/**
 * Decodes a body as it arrived. One that redaction must look into and cannot is left out. What is not encoded is given
 * back at once.
 */
export function captureBody(
  taken: TakenBody,
  headers: HeaderPairs,
  arrival: Arrival = {},
  maxBytes = CHECKED_BYTES,
): BodyCapture | Promise<BodyCapture> {
  const { wireSize } = taken
  if ('sha256' in taken) return { wireSize, sha256: taken.sha256, ...chunksOf(wireSize, headers, arrival) }
  const coding = headerValue(headers, 'content-encoding')
  const isCoded = coding !== '' && !/^identity$/i.test(coding)
  if ('digest' in taken) {
    const { digest, head } = taken
    const omitted = { wireSize, omitted: tooLarge(maxBytes), digest }
    if (!isCoded || head === undefined) return { ...omitted, head }
    return decodeBeginning(head, coding, HEAD_BYTES).then((decoded) => ({ ...omitted, head: decoded }))
  }
  const { bytes = NOTHING } = taken
  if (isCoded && isEncoded(bytes, coding)) return captureDecoded(bytes, coding, headers, arrival, maxBytes)
  const timed = chunksOf(wireSize, headers, arrival)
  return timed === undefined ? { wireSize, bytes } : { wireSize, bytes, ...timed }
}

const NOTHING = Buffer.alloc(0)

function tooLarge(maxBytes: number): string {
  return `larger than ${maxBytes} bytes, which --record-max-body allows`
}

async function captureDecoded(
  bytes: Buffer,
  coding: string,
  headers: HeaderPairs,
  { arrived = [], isPartial = false }: Arrival,
  maxBytes: number,
): Promise<BodyCapture> {
  const wireSize = bytes.length
  const timed = chunksOf(wireSize, headers, { arrived })
  const decoded = await decode(bytes, coding, isPartial, maxBytes)
  if ('problem' in decoded) {
    const digest = hash('sha256', bytes)
    if (decoded.isTooLarge !== true) return { wireSize, omitted: `${decoded.problem}, ${UNCHECKED}`, digest }
    return {
      ...{ wireSize, omitted: tooLarge(maxBytes), digest },
      head: await decodeBeginning(bytes, coding, HEAD_BYTES),
    }
  }
  if (timed === undefined) return { wireSize, ...decoded }
  return { wireSize, ...decoded, chunks: await decodeChunks(bytes, coding, arrived) }
}

// When the bytes came, where that is worth keeping.
function chunksOf(
  wireSize: number,
  headers: HeaderPairs,
  { arrived = [], isPartial }: Arrival,
): { readonly chunks: readonly BodyChunk[] } | undefined {
  if (wireSize === 0 || arrived.length === 0) return undefined
  const isStream = isPartial === true || contentKindOf(headerValue(headers, 'content-type')) === 'events'
  return isStream || arrived.length > 1 ? { chunks: arrived } : undefined
}
