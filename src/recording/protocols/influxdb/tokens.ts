import { compileLinear } from '../../../engine/linear-pattern.ts'
import { Malformed, Unknown } from './statement.ts'

/** A word, a sign or a value. */
export interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'time' | 'pattern' | 'sign' | 'end'
  readonly text: string
  readonly at: number
}

const TOKEN =
  /\s*(?:(--[^\n]*)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\d+(?:\.\d+)?(?:ns|[uµ]|ms|[smhdw])(?![\w.]))|(\d+(?:\.\d+)?)|(=~|!~|!=|<>|<=|>=|[=<>(),;*.+\-/:])|([A-Za-z_]\w*))/uy

/** So many parts may lie within each other. */
const MAX_TOKENS = 2_000

function tokensIn(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (/\S/.test(text.slice(at))) {
    const before = tokens.at(-1)?.text.toLowerCase() ?? ''
    const pattern = /^(=~|!~|from|,)$/.test(before) ? /^\s*\/((?:[^/\\]|\\.)*)\//.exec(text.slice(at)) : null
    if (pattern !== null) {
      tokens.push({ kind: 'pattern', text: pattern[1] ?? '', at })
      at += pattern[0].length
      continue
    }
    if (tokens.length > MAX_TOKENS) throw new Unknown()
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null) throw new Malformed(text.slice(at).trim().slice(0, 1), at)
    const [all, comment, name, quoted, time, number, sign, word] = found
    const place = at + all.length - all.trimStart().length
    at += all.length
    if (comment !== undefined) continue
    const unescaped = (given: string): string => given.replaceAll(/\\(.)/g, '$1')
    if (name !== undefined) tokens.push({ kind: 'name', text: unescaped(name), at: place })
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: unescaped(quoted), at: place })
    else if (time !== undefined) tokens.push({ kind: 'time', text: time, at: place })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, at: place })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at: place })
    else tokens.push({ kind: 'word', text: word ?? '', at: place })
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }]
}

/** The words and signs of a text, one after another. */
export class Tokens {
  readonly #tokens: readonly Token[]
  #at = 0

  /** @throws Malformed; Unknown for a text that is too long to be looked into */
  constructor(text: string) {
    this.#tokens = tokensIn(text)
  }

  get isAtEnd(): boolean {
    return this.next.kind === 'end'
  }

  get next(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] as Token
  }

  take(): Token {
    const token = this.next
    this.#at++
    return token
  }

  // Words are the same in any case, where they are in no quotes.
  is(text: string, ahead = 0): boolean {
    const token = this.#tokens[this.#at + ahead]
    return token !== undefined && /^(word|sign)$/.test(token.kind) && token.text.toLowerCase() === text
  }

  accept(...words: readonly string[]): boolean {
    if (!words.every((word, at) => this.is(word, at))) return false
    this.#at += words.length
    return true
  }

  expect(...words: readonly string[]): void {
    for (const word of words) if (!this.accept(word)) this.fail()
  }

  fail(): never {
    throw new Malformed(this.next.text, this.next.at)
  }

  // What goes on with a word may be of another version.
  unknown(): never {
    if (this.next.kind !== 'word') this.fail()
    throw new Unknown()
  }

  name(): string {
    const token = this.take()
    if (token.kind !== 'name' && (token.kind !== 'word' || RESERVED.test(token.text)))
      throw new Malformed(token.text, token.at)
    return token.text
  }

  number(): number {
    const sign = this.accept('-') ? -1 : 1
    const token = this.take()
    if (token.kind !== 'number') throw new Malformed(token.text, token.at)
    return sign * Number(token.text)
  }
}

const RESERVED =
  /^(select|from|where|group|order|limit|offset|show|create|drop|delete|and|or|as|by|into|fill)$/i

/** What a pattern of InfluxQL accepts. @throws Unknown for one that cannot be matched in linear time */
export function patternOf(source: string): (text: string) => boolean {
  try {
    const pattern = compileLinear(source.replaceAll('\\/', '/'))
    return (text) => pattern.test(text)
  } catch {
    throw new Unknown()
  }
}
