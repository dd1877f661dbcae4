import { fstatSync } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recordable } from '../capture/exchange-text.ts'
import {
  bodiesOf,
  type BodyNotes,
  type Content,
  type Exchange,
  inlineBytes,
  isLong,
  type PostData,
  type Redacted,
  withoutText,
} from '../exchange.ts'
import { type BodyFile, createBodyFile, createKeptBodies, removeStaleFiles, storeBody } from './body-files.ts'
import { bodyPath } from './har.ts'
import { createAppendLines, endLastLine, exchangesPath } from './lines.ts'
import { makeDirectories } from './make-recording.ts'
import { UNANSWERED } from '../exchange.ts'
import { readExchangeLines } from './parts.ts'
import { failed } from './read-body.ts'
import { addTo, createRepeats, measure, pruneRecording } from './rewrite.ts'
import { markWriter } from './writers.ts'

/** How much a recording may hold while it is written. */
export interface RecordingLimits {
  /** The most exchanges. Where one more comes, the oldest go until three quarters are left. */
  readonly maxExchanges?: number | undefined
  /** The most bytes, bodies included; likewise. */
  readonly maxBytes?: number | undefined
  /** The most bytes that are kept of a body, on the wire. Default: 8 MiB. */
  readonly maxBodyBytes?: number | undefined
  /** Whether an exchange is left out that says the same as the one before it of the same request. */
  readonly dedupe?: boolean | undefined
}

/** A recording that is open for writing. One process at a time may have it open. */
interface RecordingFiles {
  /** Whether exchanges may be given as the JSON texts that they are written as. */
  readonly takesTexts: boolean
  /** Begins a body that no secret is looked for in, such as an image. */
  createBodyFile(): Promise<BodyFile>
  /**
   * Writes exchanges as a line each, after those of earlier calls, and together with those that wait with them; bodies
   * over 32 KiB go to files of their own. Resolves with how many were written: with `dedupe`, repeated ones are not.
   */
  append(...exchanges: readonly Recordable[]): Promise<number>
  /** Resolves when what was appended is written. */
  flush(): Promise<void>
  /** Whether what is appended can be found under the recording's name. */
  isThere(): Promise<boolean>
  /** Closes after what was appended is written. */
  close(): Promise<void>
}

/** What is left of the limits when the oldest exchanges go. */
const SHARE = 3 / 4

/**
 * Opens the recording in `directory` to add to it, making what is missing; a line that a crash left torn is cut off.
 * @param confirm called before each write; where it throws, nothing is written from then on
 * @throws RecordingUnusable when the directory cannot be made or written, or another process changes what is in it
 */
export async function openRecording(
  directory: string,
  { maxExchanges = Infinity, maxBytes = Infinity, dedupe = false }: RecordingLimits = {},
  confirm?: () => Promise<void>,
): Promise<RecordingFiles> {
  const bodies = join(directory, 'bodies')
  const cannot = failed(`Cannot record to ${directory}`)
  await makeDirectories(bodies).catch(cannot)
  const unmark = await markWriter(directory)
  let file = await openFile(directory, bodies).catch(async (error: unknown) => {
    await unmark()
    return cannot(error)
  })
  const isBounded = maxExchanges < Infinity || maxBytes < Infinity
  const takesTexts = !isBounded && !dedupe
  const isRepeated = createRepeats()
  const held = takesTexts ? undefined : await measure(directory, (each) => void isRepeated(each))
  let extent = isBounded ? held : undefined
  const kept = createKeptBodies()
  const appendLines = createAppendLines()
  let waiting: Waiting[] = []
  let failure: unknown
  let last: Promise<unknown> = Promise.resolve()

  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  const shrink = async (): Promise<void> => {
    if (extent === undefined || (extent.exchanges <= maxExchanges && extent.bytes <= maxBytes)) return
    const left = { maxExchanges: Math.max(1, Math.floor(maxExchanges * SHARE)), maxBytes: maxBytes * SHARE }
    await kept.alone(async (isSpared) => {
      extent = (await pruneRecording(directory, { ...left, isSpared, confirm })).extent
    })
    await file.close()
    file = await open(exchangesPath(directory), 'a', 0o600)
  }
  // In another thread it would take longer than to write what was recorded.
  const checkFile = (): void => {
    if (fstatSync(file.fd).nlink === 0) throw new Error('its file was removed')
  }
  const writeWaiting = async (): Promise<void> => {
    if (failure !== undefined) throw failure
    const batch = waiting
    waiting = []
    const lines: string[] = []
    const named: string[] = []
    for (const each of batch) {
      for (const stored of each.stored) {
        try {
          // Most need not be waited for.
          const exchange = stored instanceof Promise ? await stored : stored
          const line = typeof exchange === 'string' ? exchange : JSON.stringify(exchange)
          if (typeof exchange !== 'string') {
            const inFiles = bodiesOf(exchange)
            named.push(...inFiles)
            if (extent !== undefined) await addTo(extent, directory, inFiles, Buffer.byteLength(line) + 1)
          }
          lines.push(line)
        } catch (error) {
          each.error ??= { error }
        }
      }
    }
    try {
      if (lines.length > 0 && confirm !== undefined) await confirm()
      // One write in append mode, so that a crash leaves at most the last of these lines torn.
      if (lines.length > 0) await appendLines(file, lines)
      checkFile()
      if (named.length > 0) kept.areNamed(named)
      await shrink()
    } catch (error) {
      // What comes after a line that was not written whole could not be distinguished from it.
      failure = error
      throw error
    }
  }
  let next: Promise<void> | undefined
  // What is there by now is written at once, before what comes next is read: an answer may have to wait for it.
  const writeNext = (): Promise<void> =>
    (next ??= inOrder(async () => {
      await new Promise(process.nextTick)
      next = undefined
      await writeWaiting()
    }))
  return {
    takesTexts,
    async createBodyFile() {
      const body = await createBodyFile(bodies)
      return { ...body, keep: () => kept.keep(() => body.keep()) }
    },
    async append(...exchanges) {
      const stored = exchanges
        .filter((exchange) => !dedupe || typeof exchange === 'string' || !isRepeated(exchange))
        .map((exchange) =>
          typeof exchange !== 'string' && hasLongBody(exchange)
            ? moveBodies(exchange, (bytes) => kept.keep(() => storeBody(bodies, bytes)))
            : exchange,
        )
      if (stored.length === 0) return 0
      // What fails is heard of when its turn has come.
      for (const each of stored) if (each instanceof Promise) each.catch(() => undefined)
      const entry: Waiting = { stored }
      waiting.push(entry)
      await writeNext()
      if (entry.error !== undefined) throw entry.error.error
      return stored.length
    },
    flush: () => inOrder(async () => undefined),
    isThere: () =>
      inOrder(async () => {
        const named = await stat(exchangesPath(directory)).catch(() => undefined)
        return named !== undefined && named.ino === (await file.stat()).ino
      }),
    close: () => inOrder(() => Promise.all([file.close(), unmark()]).then(() => undefined)),
  }
}

interface Waiting {
  /** The exchanges with their large bodies in files. */
  readonly stored: readonly (Recordable | Promise<Recordable>)[]
  error?: { readonly error: unknown }
}

async function openFile(directory: string, bodies: string): Promise<FileHandle> {
  await removeStaleFiles(bodies)
  await endLastLine(exchangesPath(directory))
  return open(exchangesPath(directory), 'a', 0o600)
}

function hasLongBody({ request, response }: Exchange): boolean {
  return isLong(request.postData) || isLong(response.content)
}

/** Moves what is long in the bodies of an exchange to files in `bodies`. */
export async function moveLongBodies(
  exchange: Redacted<Exchange>,
  bodies: string,
): Promise<Redacted<Exchange>> {
  return hasLongBody(exchange) ? moveBodies(exchange, (bytes) => storeBody(bodies, bytes)) : exchange
}

type StoreBytes = (bytes: Buffer) => Promise<string>

// Bodies come first, so that no line names a file that is not there.
async function moveBodies(exchange: Redacted<Exchange>, store: StoreBytes): Promise<Redacted<Exchange>> {
  const { request, response } = exchange
  const postData = request.postData && (await moveBody(request.postData, store))
  const content = await moveBody(response.content, store)
  return {
    ...exchange,
    request: { ...request, ...(postData && { postData }) },
    response: { ...response, content },
  }
}

async function moveBody<Body extends Content | PostData>(body: Body, store: StoreBytes): Promise<Body> {
  const bytes = isLong(body) ? inlineBytes(body) : undefined
  if (bytes === undefined) return body
  const sha256 = await store(bytes)
  const notes: BodyNotes = { _file: bodyPath(sha256), _sha256: sha256 }
  return { ...withoutText(body), ...notes } as unknown as Body
}

/**
 * Reads a recording back, in the order it was written, or those of several gateways in the order in which their
 * exchanges began. A torn last line is passed over, and so is a request that was not answered.
 * @throws RecordingUnusable when there is no recording, or another line is not an exchange
 */
export async function* readExchanges(directory: string): AsyncGenerator<Redacted<Exchange>> {
  for await (const { exchange } of readExchangeLines(directory))
    if (exchange.response.status !== UNANSWERED) yield exchange
}
