import { memberAt } from '../../../engine/schema/member.ts'
import type { Body } from './databases.ts'

/** What the map function of a view emits for a document. */
export type Emitted = readonly (readonly [key: unknown, value: unknown])[]

type Read = (document: Body) => unknown

/**
 * Reads a map function of a view that emits once, whatever the document or on conditions that look at its members:
 * `function (doc) { if (doc.kind === 'book' && doc.tags) emit([doc.kind, doc.year], 1) }`. It is not run, but read.
 * @returns what it emits; `undefined` for a function that does more
 */
export function readMapFunction(source: string): ((document: Body) => Emitted) | undefined {
  const reader = new Reader(tokensOf(source))
  const map = reader.mapFunction()
  return map !== undefined && reader.isAtEnd() ? map : undefined
}

const TOKEN = /[A-Za-z_$][\w$]*|\d+(?:\.\d+)?|"[^"\\]*"|'[^'\\]*'|===|!==|==|!=|=>|&&|[^\s]/g

function tokensOf(source: string): readonly string[] {
  return source.match(TOKEN) ?? []
}

const WORD = /^[A-Za-z_$]/
const NOTHING: Emitted = []

class Reader {
  readonly #tokens: readonly string[]
  #at = 0
  #document = ''

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  mapFunction(): ((document: Body) => Emitted) | undefined {
    const isArrow = !this.#takes('function')
    if (!isArrow && this.#next() !== '(') this.#at++
    const hasBrackets = this.#takes('(')
    this.#document = this.#word() ?? ''
    if (this.#document === '' || (hasBrackets && !this.#takes(')'))) return undefined
    if (isArrow && !this.#takes('=>')) return undefined
    const isBlock = this.#takes('{')
    if (!isArrow && !isBlock) return undefined
    const map = this.#statement()
    while (this.#takes(';'));
    return isBlock && !this.#takes('}') ? undefined : map
  }

  #statement(): ((document: Body) => Emitted) | undefined {
    if (!this.#takes('if')) return this.#emit()
    const condition = this.#takes('(') ? this.#condition() : undefined
    if (condition === undefined || !this.#takes(')')) return undefined
    const isBlock = this.#takes('{')
    const then = this.#statement()
    while (this.#takes(';'));
    if (then === undefined || (isBlock && !this.#takes('}'))) return undefined
    return (document) => (condition(document) ? then(document) : NOTHING)
  }

  #emit(): ((document: Body) => Emitted) | undefined {
    if (!this.#takes('emit') || !this.#takes('(')) return undefined
    const key = this.#expression()
    const value = this.#takes(',') ? this.#expression() : (): unknown => null
    if (key === undefined || value === undefined || !this.#takes(')')) return undefined
    return (document) => [[key(document) ?? null, value(document) ?? null]]
  }

  #condition(): Read | undefined {
    const first = this.#comparison()
    if (first === undefined || !this.#takes('&&')) return first
    const rest = this.#condition()
    return rest && ((document) => Boolean(first(document)) && rest(document))
  }

  #comparison(): Read | undefined {
    const isNot = this.#takes('!')
    const own = this.#expression()
    if (own === undefined) return undefined
    if (isNot) return (document) => !own(document)
    for (const [sign, isSame] of [
      ['===', true],
      ['==', true],
      ['!==', false],
      ['!=', false],
    ] as const) {
      if (!this.#takes(sign)) continue
      const other = this.#expression()
      return other && ((document) => (own(document) === other(document)) === isSame)
    }
    return own
  }

  #expression(): Read | undefined {
    const token = this.#next() ?? ''
    if (this.#takes('[')) return this.#list()
    if (/^["'\d]/.test(token)) {
      this.#at++
      const constant = /^["']/.test(token) ? token.slice(1, -1) : Number(token)
      return () => constant
    }
    if (CONSTANTS.has(token)) {
      this.#at++
      return () => CONSTANTS.get(token)
    }
    if (token !== this.#document) return undefined
    this.#at++
    const path: string[] = []
    while (this.#takes('.')) {
      const name = this.#word()
      if (name === undefined) return undefined
      path.push(name)
    }
    return (document) => (path.length === 0 ? document : memberAt(document, path))
  }

  #list(): Read | undefined {
    const parts: Read[] = []
    while (!this.#takes(']')) {
      const part = this.#expression()
      if (part === undefined || (!this.#takes(',') && this.#next() !== ']')) return undefined
      parts.push(part)
    }
    return (document) => parts.map((part) => part(document) ?? null)
  }

  #next(): string | undefined {
    return this.#tokens[this.#at]
  }

  #takes(token: string): boolean {
    if (this.#next() !== token) return false
    this.#at++
    return true
  }

  #word(): string | undefined {
    const token = this.#next()
    if (token === undefined || !WORD.test(token)) return undefined
    this.#at++
    return token
  }
}

const CONSTANTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['undefined', undefined],
])
