import type { MediaKind } from '../media-type.ts'

/** A piece of a stream of messages; the pieces in turn are all of its bytes. */
export interface MessagePiece {
  readonly bytes: Buffer
  /** How many messages ended before it. */
  readonly index: number
  /** Whether it belongs to what a message says, and not to what separates messages. */
  readonly isData: boolean
  /** Whether a message ends with it. */
  readonly isLast: boolean
}

/** Splits what comes next of a stream. */
export type SplitMessages = (chunk: Buffer) => readonly MessagePiece[]

/** What separates the messages in a body of a kind; nothing where that is not a stream of messages. */
export function messagesOf(kind: MediaKind): SplitMessages | undefined {
  return kind === 'events' ? createSplit(EVENTS) : kind === 'json-lines' ? createSplit(LINES) : undefined
}

/** How messages are written in lines. */
interface LineForm {
  /** Reads a byte of a line. @returns whether it is data */
  isData(byte: number, at: number, line: Line): boolean
  /** Whether a message ends with the end of this line. */
  ends(line: Line): boolean
}

interface Line {
  length: number
  /** Whether all its bytes until now are those of the field's name. */
  fits: boolean
  isData: boolean
  /** Whether the message has had data, in this line or before. */
  hasData: boolean
}

const [LF, CR, SPACE, COLON, RECORD] = [10, 13, 32, 58, 30]
const DATA = Buffer.from('data')

/** Event streams (https://html.spec.whatwg.org/#event-stream-interpretation): one without data is not an event. */
const EVENTS: LineForm = {
  isData(byte, at, line) {
    if (at < DATA.length) line.fits &&= byte === DATA[at]
    else if (at === DATA.length) {
      line.isData = line.fits && byte === COLON
      line.hasData ||= line.isData
      return false
    }
    return line.isData && !(at === DATA.length + 1 && byte === SPACE)
  },
  ends(line) {
    // A name alone is a field without a value.
    line.hasData ||= line.fits && line.length === DATA.length
    return line.length === 0 && line.hasData
  },
}

/** A JSON text in each line, or after each record separator (RFC 7464). */
const LINES: LineForm = {
  isData(byte, _at, line) {
    const isData = byte !== RECORD
    line.hasData ||= isData
    return isData
  },
  ends: ({ hasData }) => hasData,
}

function createSplit(form: LineForm): SplitMessages {
  const line: Line = { length: 0, fits: true, isData: false, hasData: false }
  let index = 0
  let before = 0
  return (chunk) => {
    const pieces: MessagePiece[] = []
    let start = 0
    let wasData = false
    const cut = (end: number, isLast: boolean): void => {
      if (end > start) pieces.push({ bytes: chunk.subarray(start, end), index, isData: wasData, isLast })
      start = end
    }
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      const isEnd = byte === LF || byte === CR
      const isData = !isEnd && form.isData(byte, line.length, line)
      if (isData !== wasData) cut(at, false)
      wasData = isData
      if (!isEnd) line.length++
      else if (byte === CR || before !== CR) {
        if (form.ends(line)) {
          // The end of the line is of two bytes, as far as is known.
          if (byte === CR && chunk[at + 1] === LF) at++
          cut(at + 1, true)
          index++
          line.hasData = false
        }
        Object.assign(line, { length: 0, fits: true, isData: false })
      }
      before = chunk[at] as number
    }
    cut(chunk.length, false)
    return pieces
  }
}
