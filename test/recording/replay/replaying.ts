import { onTestFinished } from 'vitest'
import type { HeaderPair } from '../../../src/http/headers.ts'
import { openRecording } from '../../../src/recording/files/recording-files.ts'
import { createRedactor } from '../../../src/recording/redaction/redactor.ts'
import type { ReplayOptions } from '../../../src/recording/replay/replay-options.ts'
import { createReplayer, type Replayer } from '../../../src/recording/replay/replayer.ts'
import { createReplays, type Replays } from '../../../src/state/replays.ts'
import { exchangeOf, type Parts, temporaryDirectory } from '../samples.ts'

/** A request. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers?: readonly HeaderPair[]
  readonly body?: string
}

/** What of an answer is compared. */
export interface Seen {
  readonly status: number
  readonly text: string
  readonly location?: string | undefined
  readonly etag?: string | undefined
}

/** Puts a request to a recording. */
export type Ask = (sent: Sent, session?: Replays) => Promise<Seen>

const JSON_TYPE: HeaderPair = ['content-type', 'application/json']
const TEXT_TYPE: HeaderPair = ['content-type', 'text/plain']
// With a key, so that secrets have pseudonyms of their own.
const REDACTOR = createRedactor({}, Buffer.alloc(32, 7))

/** Records exchanges, and replays them to one session after the other. */
export async function replaying(recorded: readonly Parts[], options: ReplayOptions = {}): Promise<Ask> {
  const directory = await temporaryDirectory()
  const recording = await openRecording(directory)
  for (const parts of recorded) await recording.append(REDACTOR.exchange(exchangeOf(parts)))
  await recording.close()
  return replayingFrom(directory, options)
}

/** Replays the recording in a directory. */
export async function replayingFrom(directory: string, options: ReplayOptions = {}): Promise<Ask> {
  const replayer = await createReplayer(directory, REDACTOR, options)
  onTestFinished(() => replayer.close())
  const own = createReplays()
  return (sent, session = own) => ask(replayer, sent, session)
}

async function ask(
  replayer: Replayer,
  { method, url, headers = [], body = '' }: Sent,
  session: Replays,
): Promise<Seen> {
  const found = await replayer.find(
    {
      method,
      host: undefined,
      url,
      headers: [...headers],
      isUpgrade: false,
      takesDrawn: true,
      contentType: body === '' ? '' : 'application/json',
      contentEncoding: '',
      body: async () => Buffer.from(body),
    },
    session,
  )
  if (found.kind === 'miss') return { status: 0, text: `miss of ${method} ${url} ${body}` }
  const named = (name: string): string | undefined =>
    found.headers.find(([other]) => other.toLowerCase() === name)?.[1]
  const text = Buffer.isBuffer(found.body) ? found.body.toString() : ''
  return { status: found.status, text, location: named('location'), etag: named('etag') }
}

/** What is recorded of a request and its answer. */
export function recordedOf({ method, url, headers = [], body }: Sent, seen: Seen): Parts {
  return {
    method,
    url: `http://api.test${url}`,
    requestHeaders: [...headers, ...(body === undefined ? [] : [JSON_TYPE])],
    ...(body !== undefined && { requestBody: body }),
    status: seen.status,
    responseHeaders: [
      TEXT_TYPE,
      ...(seen.location === undefined ? [] : [['location', seen.location] as const]),
      ...(seen.etag === undefined ? [] : [['etag', seen.etag] as const]),
    ],
    responseBody: seen.text,
  }
}
