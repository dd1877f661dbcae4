const FIRST_SIZE = 64 * 1024
/** The most bytes that a sink keeps between two texts. */
const MAX_KEPT = 1024 * 1024
/** Longer pieces are copied by the system, for which shorter ones are not worth a call. */
const MAX_LOOPED = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const MINUS = 0x2d
const ZERO = 0x30

/** Takes JSON as it is written, piece by piece, into bytes that are used again for the next text. */
export class ByteSink {
  /** Where the text is written; others after `reserve`, since it may have to grow. */
  bytes: Buffer = Buffer.allocUnsafeSlow(FIRST_SIZE)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Where the next `count` bytes belong, which the caller puts into `bytes`, all of them. */
  reserve(count: number): number {
    const at = this.#length
    if (at + count > this.bytes.length) this.#grow(count)
    this.#length = at + count
    return at
  }

  /** Plain bytes, such as a key that was encoded beforehand. */
  raw(piece: Uint8Array): void {
    const { length } = piece
    let at = this.reserve(length)
    const { bytes } = this
    if (length > MAX_LOOPED) bytes.set(piece, at)
    else for (let index = 0; index < length; index++) bytes[at++] = piece[index] as number
  }

  /** A short text of ASCII characters, as it is. */
  plain(text: string): void {
    const at = this.reserve(text.length)
    this.bytes.write(text, at, 'latin1')
  }

  byte(value: number): void {
    const at = this.reserve(1)
    this.bytes[at] = value
  }

  /** A number as JSON writes it. */
  number(value: number): void {
    if (value !== (value | 0)) return this.plain(Number.isFinite(value) ? String(value) : 'null')
    // Counted below zero, where there is one number more.
    let rest = value < 0 ? value : -value
    let digits = 1
    for (let left = rest; left <= -10; left = (left / 10) | 0) digits++
    const sign = value < 0 ? 1 : 0
    const first = this.reserve(sign + digits)
    const { bytes } = this
    if (value < 0) bytes[first] = MINUS
    for (let at = first + sign + digits - 1; at >= first + sign; at--) {
      const tenth = (rest / 10) | 0
      bytes[at] = ZERO + 10 * tenth - rest
      rest = tenth
    }
  }

  /** A text as a JSON string. */
  text(value: string): void {
    const { length } = value
    const start = this.reserve(length + 2)
    const { bytes } = this
    let at = start
    bytes[at++] = QUOTE
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index)
      if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) {
        this.#length = start
        return this.#json(value)
      }
      bytes[at++] = code
    }
    bytes[at] = QUOTE
  }

  /** Any value but `undefined` and functions, as `JSON.stringify` has it. */
  value(value: unknown): void {
    if (typeof value === 'string') this.text(value)
    else if (typeof value === 'number') this.number(value)
    else this.#json(value)
  }

  /** All that was written, its UTF-8 bytes as one character each; the sink is empty again. */
  take(): string {
    const text = this.bytes.toString('latin1', 0, this.#length)
    this.clear()
    return text
  }

  /** As `take`, but the bytes. */
  takeBytes(): Buffer {
    const bytes = Buffer.from(this.bytes.subarray(0, this.#length))
    this.clear()
    return bytes
  }

  /** As `take`, but decoded. */
  takeText(): string {
    const text = this.bytes.toString('utf8', 0, this.#length)
    this.clear()
    return text
  }

  /** Forgets what was written, as after a failure midway. */
  clear(): void {
    this.#length = 0
    if (this.bytes.length > MAX_KEPT) this.bytes = Buffer.allocUnsafeSlow(FIRST_SIZE)
  }

  #json(value: unknown): void {
    const json = JSON.stringify(value) ?? 'null'
    const most = 3 * json.length
    const at = this.reserve(most)
    this.#length = at + this.bytes.write(json, at, 'utf8')
  }

  #grow(more: number): void {
    const grown = Buffer.allocUnsafeSlow(2 * (this.#length + more))
    this.bytes.copy(grown, 0, 0, this.#length)
    this.bytes = grown
  }
}
