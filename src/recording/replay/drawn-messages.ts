import { entryOf } from '../../grouping.ts'
import { aroundDrawn, replaceDrawn } from './drawn-tokens.ts'

/** A message of a recorded WebSocket. */
export interface RecordedMessage {
  readonly isFromClient: boolean
  readonly isBinary: boolean
  readonly data: Buffer
  /** What a message of the client says, without secrets and ids of calls. */
  readonly form: string
}

/** A recorded message that is equal but for what its client drew. */
export interface PossibleMessage {
  readonly form: string
  /** The recorded values, and what they are now; those of binary messages as bytes, a letter each. */
  readonly drawn: readonly (readonly [recorded: string, own: string])[]
}

/** Finds messages in which a client drew other values than were drawn while they were recorded. */
export interface DrawnMessages {
  /** What a message may have been recorded as, in the order in which that was said. */
  possible(form: string, data: Buffer, isBinary: boolean): PossibleMessage[]
}

/**
 * Looks through a recorded connection for what its client drew: values of the forms that `drawn-tokens.ts` knows and,
 * in binary messages, runs of bytes that are not words. They are new with a message, and what is in their place now is
 * nowhere in the connection.
 */
export function createDrawnMessages(messages: readonly RecordedMessage[]): DrawnMessages {
  const byText = new Map<string, { readonly at: number; readonly tokens: readonly string[] }[]>()
  const firstAt = new Map<string, number>()
  for (const [at, { isFromClient, isBinary, form, data }] of messages.entries()) {
    const isOfClient = isFromClient && !isBinary
    const { text, tokens } = aroundDrawn(isOfClient ? form : data.toString('latin1'))
    for (const token of tokens) if (!firstAt.has(token)) firstAt.set(token, at)
    if (isOfClient && tokens.length > 0) entryOf(byText, text, () => []).push({ at, tokens })
  }
  const inText = (form: string): PossibleMessage[] => {
    const own = aroundDrawn(form)
    if (own.tokens.length === 0) return []
    return (byText.get(own.text) ?? []).flatMap(({ at, tokens }) => {
      const drawn = tokens.flatMap((token, i) =>
        token === own.tokens[i] ? [] : [[token, own.tokens[i] ?? ''] as const],
      )
      const areDrawn = drawn.every(([was, is]) => firstAt.get(was) === at && !firstAt.has(is))
      return areDrawn ? [{ form: messages[at]?.form ?? '', drawn }] : []
    })
  }
  const inBytes = (data: Buffer): PossibleMessage[] =>
    messages.flatMap(({ isFromClient, isBinary, form, data: recorded }, at) => {
      const runs = isFromClient && isBinary ? differingRuns(recorded, data) : undefined
      const isDrawn = runs?.every(
        ([was, is]) =>
          messages.every((each) => !each.data.includes(is, 'latin1')) &&
          messages.slice(0, at).every((each) => !each.data.includes(was, 'latin1')),
      )
      return runs !== undefined && isDrawn === true ? [{ form, drawn: runs }] : []
    })
  return { possible: (form, data, isBinary) => (isBinary ? inBytes(data) : inText(form)) }
}

/** What a client drew on a connection, and what stands for it in the recording. */
export class DrawnOnConnection {
  readonly #recorded = new Map<string, string>()
  readonly #own = new Map<string, string>()

  keep(drawn: PossibleMessage['drawn']): void {
    for (const [was, is] of drawn) {
      this.#recorded.set(is, was)
      this.#own.set(was, is)
    }
  }

  /** A message of the client as it would be in the recording. */
  recorded(data: Buffer, isBinary: boolean): Buffer {
    return replaced(data, isBinary, this.#recorded)
  }

  /** A recorded message of the server with what its client drew. */
  own(data: Buffer, isBinary: boolean): Buffer {
    return replaced(data, isBinary, this.#own)
  }
}

function replaced(data: Buffer, isBinary: boolean, others: ReadonlyMap<string, string>): Buffer {
  if (others.size === 0) return data
  const text = data.toString('latin1')
  const changed = isBinary
    ? [...others].reduce((all, [one, other]) => all.replaceAll(one, () => other), text)
    : replaceDrawn(text, (token) => others.get(token))
  return changed === text ? data : Buffer.from(changed, 'latin1')
}

/** Longer messages hold more than a few drawn values. */
const MAX_BYTES = 64 * 1024
/** Fewer bytes may be anything, such as small numbers. */
const MIN_RUN = 4
const MAX_RUN = 32
/** Bytes in a row that are alike by chance. */
const MAX_GAP = 2
const WORDS = /^[A-Za-z .,_-]*$/

/**
 * The runs of bytes in which two messages of one length differ, each as text of a letter a byte; `undefined` where one
 * is too short or too long for a random number, or is made of words.
 */
function differingRuns(recorded: Buffer, own: Buffer): readonly (readonly [string, string])[] | undefined {
  // What a message is for is what it begins with.
  if (recorded[0] !== own[0] || recorded.length !== own.length || own.length > MAX_BYTES) return undefined
  const runs: [start: number, end: number][] = []
  for (let at = 0; at < own.length; at++) {
    if (recorded[at] === own[at]) continue
    const last = runs.at(-1)
    if (last !== undefined && at - last[1] <= MAX_GAP) last[1] = at + 1
    else runs.push([at, at + 1])
  }
  const texts = runs.map(([start, end]): [string, string] => [
    recorded.toString('latin1', start, end),
    own.toString('latin1', start, end),
  ])
  const areDrawn = texts.every(
    ([was, is]) =>
      was.length >= MIN_RUN && was.length <= MAX_RUN && ![was, is].some((each) => WORDS.test(each)),
  )
  return areDrawn ? texts : undefined
}
