import { ByteSink } from '../engine/schema/byte-sink.ts'
import { printableJson } from './printable.ts'

/** How long lines wait for others: to hand over each costs more than all the rest of writing it. */
const GATHER_MS = 20
const GATHER_LENGTH = 128 * 1024
const LONGEST_VALUE = 128
const THOUSAND = 1000
const [POINT, ZERO] = [0x2e, 0x30]
const PLAIN = /^[ !#-[\]-~]*$/

/** Parts of a line that many have in common, as they are written. */
export interface SharedParts {
  start: Uint8Array
  fields: Uint8Array
  end: Uint8Array
}

/**
 * Gathers lines, and hands many over at once as bytes: texts that waited as such would be copied by each collection of
 * garbage.
 */
export class LineBuffer {
  readonly #sink = new ByteSink()
  readonly #names = new Map<string, Uint8Array>()
  readonly #take: (bytes: Buffer) => void
  #isTimed = false

  constructor(take: (bytes: Buffer) => void) {
    this.#take = take
  }

  write(line: string): void {
    this.#sink.raw(Buffer.from(line))
    this.#handOverSoon()
  }

  /**
   * Writes a line of JSON of plain fields without making a text of it.
   * @param given fields of this line alone
   * @returns false where nothing was written: one of them is neither a number nor a short text of plain ASCII
   */
  writeFields({ start, fields, end }: SharedParts, given: object): boolean {
    const own = given as Readonly<Record<string, unknown>>
    for (const name in own) if (!isPlain(own[name])) return false
    const sink = this.#sink
    sink.raw(start)
    sink.raw(fields)
    for (const name in own) {
      const value = own[name]
      if (value === undefined) continue
      sink.raw(this.#names.get(name) ?? this.#remember(name))
      if (typeof value === 'string') sink.text(value)
      else this.#number(value as number)
    }
    sink.raw(end)
    this.#handOverSoon()
    return true
  }

  /** Hands over what has been gathered. */
  flush(): void {
    if (this.#sink.length > 0) this.#take(this.#sink.takeBytes())
  }

  #handOverSoon(): void {
    if (this.#sink.length > GATHER_LENGTH) this.flush()
    if (this.#isTimed) return
    this.#isTimed = true
    setTimeout(() => {
      this.#isTimed = false
      this.flush()
    }, GATHER_MS).unref()
  }

  #remember(name: string): Uint8Array {
    const start = Buffer.from(`,${printableJson(JSON.stringify(name))}:`)
    this.#names.set(name, start)
    return start
  }

  // Milliseconds with three places come in each line, and to write any other fraction takes far longer.
  #number(value: number): void {
    const thousandths = Math.round(value * THOUSAND)
    if (!(value > 0 && thousandths < 2 ** 31 && thousandths / THOUSAND === value))
      return this.#sink.number(value)
    const whole = Math.trunc(thousandths / THOUSAND)
    this.#sink.number(whole)
    let rest = thousandths - whole * THOUSAND
    if (rest > 0) this.#sink.byte(POINT)
    for (let unit = THOUSAND / 10; rest > 0; unit /= 10) {
      const digit = Math.trunc(rest / unit)
      this.#sink.byte(ZERO + digit)
      rest -= digit * unit
    }
  }
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_VALUE && PLAIN.test(value)
  return value === undefined || (typeof value === 'number' && Number.isFinite(value))
}
