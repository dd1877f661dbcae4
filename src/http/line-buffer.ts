import { printableJson } from './printable.ts'

/** How long lines wait for others: to hand over each costs more than all the rest of writing it. */
const GATHER_MS = 20
const SIZE = 160 * 1024
const GATHER_LENGTH = 128 * 1024
/** How much the fields take that a line does not share with others. */
const OWN_LENGTH = 1024
const LONGEST_VALUE = 128
const LONGEST_NUMBER = 20
const THOUSAND = 1000

const [QUOTE, BACKSLASH, POINT, ZERO, FIRST, LAST] = [0x22, 0x5c, 0x2e, 0x30, 0x20, 0x7e]

/** Parts of a line that many have in common, as they are written. */
export interface SharedParts {
  start: Uint8Array
  fields: Uint8Array
  end: Uint8Array
}

/** Gathers lines, and hands many over at once as bytes: texts that waited as such would be copied by each collection of garbage. */
export class LineBuffer {
  readonly #bytes = Buffer.allocUnsafeSlow(SIZE)
  readonly #names = new Map<string, Uint8Array>()
  readonly #take: (bytes: Buffer) => void
  #length = 0
  #isTimed = false

  constructor(take: (bytes: Buffer) => void) {
    this.#take = take
  }

  write(line: string): void {
    const longest = Buffer.byteLength(line)
    if (longest > SIZE) {
      this.flush()
      return this.#take(Buffer.from(line))
    }
    this.#reserve(longest)
    this.#length += this.#bytes.write(line, this.#length)
    this.#handOverSoon()
  }

  /**
   * Writes a line of JSON of plain fields without making a text of it.
   * @param own fields of this line alone
   * @returns false where nothing was written: one of them is not short, plain ASCII or a number of at most three places
   */
  writeFields({ start, fields, end }: SharedParts, own: object): boolean {
    const shared = start.length + fields.length + end.length
    if (shared + OWN_LENGTH > SIZE) return false
    this.#reserve(shared + OWN_LENGTH)
    const before = this.#length
    this.#put(start)
    this.#put(fields)
    const most = this.#length + OWN_LENGTH
    for (const name in own) {
      const value = (own as Readonly<Record<string, unknown>>)[name]
      if (value !== undefined && !this.#putField(name, value, most)) {
        this.#length = before
        return false
      }
    }
    this.#put(end)
    this.#handOverSoon()
    return true
  }

  /** Hands over what has been gathered. */
  flush(): void {
    if (this.#length > 0) this.#take(Buffer.from(this.#bytes.subarray(0, this.#length)))
    this.#length = 0
  }

  #reserve(length: number): void {
    if (this.#length + length > SIZE) this.flush()
  }

  #handOverSoon(): void {
    if (this.#length > GATHER_LENGTH) this.flush()
    if (this.#isTimed) return
    this.#isTimed = true
    setTimeout(() => {
      this.#isTimed = false
      this.flush()
    }, GATHER_MS).unref()
  }

  #put(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  #putField(name: string, value: unknown, most: number): boolean {
    let start = this.#names.get(name)
    if (start === undefined) {
      start = Buffer.from(`,${printableJson(JSON.stringify(name))}:`)
      this.#names.set(name, start)
    }
    if (this.#length + start.length + LONGEST_VALUE + LONGEST_NUMBER > most) return false
    this.#put(start)
    if (typeof value === 'string') return this.#putText(value)
    return typeof value === 'number' && this.#putNumber(value)
  }

  #putText(text: string): boolean {
    const { length } = text
    if (length > LONGEST_VALUE) return false
    const bytes = this.#bytes
    let at = this.#length
    bytes[at++] = QUOTE
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index)
      if (code < FIRST || code > LAST || code === QUOTE || code === BACKSLASH) return false
      bytes[at++] = code
    }
    bytes[at++] = QUOTE
    this.#length = at
    return true
  }

  // Milliseconds with three places come in each line.
  #putNumber(value: number): boolean {
    const thousandths = Math.round(value * THOUSAND)
    if (!(value >= 0) || thousandths > Number.MAX_SAFE_INTEGER || thousandths / THOUSAND !== value)
      return false
    const whole = Math.trunc(thousandths / THOUSAND)
    this.#putDigits(whole)
    let rest = thousandths - whole * THOUSAND
    if (rest === 0) return true
    const bytes = this.#bytes
    bytes[this.#length++] = POINT
    for (let unit = THOUSAND / 10; rest > 0; unit /= 10) {
      const digit = Math.trunc(rest / unit)
      bytes[this.#length++] = ZERO + digit
      rest -= digit * unit
    }
    return true
  }

  #putDigits(whole: number): void {
    let end = this.#length + 1
    for (let rest = whole; rest >= 10; rest = Math.trunc(rest / 10)) end++
    const bytes = this.#bytes
    let rest = whole
    for (let at = end - 1; at >= this.#length; at--) {
      const tenth = Math.trunc(rest / 10)
      bytes[at] = ZERO + rest - tenth * 10
      rest = tenth
    }
    this.#length = end
  }
}
