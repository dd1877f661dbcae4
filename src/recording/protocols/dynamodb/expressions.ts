import { RESERVED_WORDS } from './reserved-words.ts'
import { ERRORS, Refusal } from './refusal.ts'
import type { Attributes, Path, Value } from './values.ts'

/** What an expression compares or sets. */
export type Operand =
  | { readonly path: Path }
  | { readonly value: Value }
  | { readonly does: string; readonly of: readonly Operand[] }

/** A condition: a comparison or function by its name, or `AND`, `OR` and `NOT` of others. */
export type Condition =
  | { readonly op: 'AND' | 'OR' | 'NOT'; readonly parts: readonly Condition[] }
  | { readonly op: string; readonly of: readonly Operand[] }

/** What an update does at a path. */
export interface Update {
  readonly does: 'SET' | 'REMOVE' | 'ADD' | 'DELETE'
  readonly path: Path
  readonly by?: Operand
}

/** The expressions of a request, and the names and values that they share. */
export interface Expressions {
  condition(kind: string): Condition | undefined
  updates(kind: string): readonly Update[] | undefined
  paths(kind: string): readonly Path[] | undefined
  /** @throws Refusal where names or values are given that no expression has */
  checkUse(): void
}

/**
 * Reads the expressions of a request, in the language of condition, update and projection expressions that the
 * Amazon DynamoDB Developer Guide describes.
 */
export function readExpressions(args: Readonly<Record<string, unknown>>): Expressions {
  const names = (args['ExpressionAttributeNames'] ?? {}) as Readonly<Record<string, string>>
  const values = (args['ExpressionAttributeValues'] ?? {}) as Attributes
  const used = new Set<string>()
  const read = <Read>(kind: string, parse: (parser: Parser) => Read): Read | undefined => {
    const text = args[kind]
    if (typeof text !== 'string') return undefined
    if (text.trim() === '') throw new Refusal(ERRORS.empty, { Kind: kind })
    const parser = new Parser(text, kind, { names, values, used })
    const found = parse(parser)
    parser.end()
    return found
  }
  return {
    condition: (kind) => read(kind, (parser) => parser.condition()),
    updates: (kind) => read(kind, (parser) => parser.updates()),
    paths: (kind) => read(kind, (parser) => parser.list(() => parser.path())),
    checkUse() {
      for (const [all, error] of [
        [names, ERRORS.unusedNames],
        [values, ERRORS.unusedValues],
      ] as const) {
        const unused = Object.keys(all).filter((name) => !used.has(name))
        if (unused.length > 0) throw new Refusal(error, { Names: unused.join(', ') })
      }
    },
  }
}

const TOKEN = /\s*(<>|<=|>=|[=<>(),.[\]+-]|[:#][\w-]+|\w+|\S)/gy
const UPDATES = /^(SET|REMOVE|ADD|DELETE)$/i
const COMPARISON = /^(=|<>|<|<=|>|>=)$/
const TESTS = /^(attribute_exists|attribute_not_exists|attribute_type|begins_with|contains)$/
const FUNCTIONS = /^(size|if_not_exists|list_append)$/

interface Given {
  readonly names: Readonly<Record<string, string>>
  readonly values: Attributes
  readonly used: Set<string>
}

class Parser {
  readonly #tokens: readonly string[]
  readonly #kind: string
  readonly #given: Given
  #at = 0

  constructor(text: string, kind: string, given: Given) {
    this.#tokens = [...text.matchAll(TOKEN)].map(([, token = '']) => token)
    this.#kind = kind
    this.#given = given
  }

  end(): void {
    if (this.#at < this.#tokens.length) this.#fail()
  }

  condition(): Condition {
    return this.#joined('OR', () => this.#joined('AND', () => this.#term()))
  }

  updates(): readonly Update[] {
    const found: Update[] = []
    while (UPDATES.test(this.#next())) {
      const does = this.#take().toUpperCase() as Update['does']
      found.push(...this.list(() => this.#update(does)))
    }
    for (const [at, { path }] of found.entries())
      for (const other of found.slice(at + 1))
        if (startsWith(path, other.path) || startsWith(other.path, path))
          throw new Refusal(ERRORS.overlap, {
            ...{ Kind: this.#kind, One: path.join(', '), Two: other.path.join(', ') },
          })
    return found
  }

  path(): Path {
    const steps: (string | number)[] = [this.#name()]
    for (;;) {
      if (this.#skip('.')) steps.push(this.#name())
      else if (this.#skip('[')) {
        steps.push(Number(this.#take(/^\d+$/)))
        this.#take(/^\]$/)
      } else return steps
    }
  }

  list<Item>(item: () => Item): readonly Item[] {
    const items = [item()]
    while (this.#skip(',')) items.push(item())
    return items
  }

  #joined(op: 'AND' | 'OR', part: () => Condition): Condition {
    const first = part()
    if (this.#next().toUpperCase() !== op) return first
    const parts = [first]
    while (this.#skip(op)) parts.push(part())
    return { op, parts }
  }

  #term(): Condition {
    if (this.#skip('NOT')) return { op: 'NOT', parts: [this.#term()] }
    if (this.#skip('(')) {
      const inner = this.condition()
      this.#take(/^\)$/)
      return inner
    }
    if (TESTS.test(this.#next()) && this.#tokens[this.#at + 1] === '(')
      return { op: this.#take(), of: this.#arguments() }
    const one = this.#operand()
    if (this.#skip('BETWEEN')) {
      const from = this.#operand()
      this.#take(/^AND$/i)
      return { op: 'BETWEEN', of: [one, from, this.#operand()] }
    }
    if (this.#skip('IN')) return { op: 'IN', of: [one, ...this.#arguments()] }
    return { op: this.#take(COMPARISON), of: [one, this.#operand()] }
  }

  #update(does: Update['does']): Update {
    const path = this.path()
    if (does === 'REMOVE') return { does, path }
    if (does !== 'SET') return { does, path, by: this.#operand() }
    this.#take(/^=$/)
    const one = this.#operand()
    const sign = /^[+-]$/.test(this.#next()) ? this.#take() : undefined
    return { does, path, by: sign === undefined ? one : { does: sign, of: [one, this.#operand()] } }
  }

  #operand(): Operand {
    const next = this.#next()
    if (next.startsWith(':')) return { value: this.#value(this.#take()) }
    if (FUNCTIONS.test(next) && this.#tokens[this.#at + 1] === '(')
      return { does: this.#take(), of: this.#arguments() }
    return { path: this.path() }
  }

  #arguments(): readonly Operand[] {
    this.#take(/^\($/)
    const found = this.list(() => this.#operand())
    this.#take(/^\)$/)
    return found
  }

  #name(): string {
    const name = this.#take(/^#?\w[\w-]*$|^#[\w-]+$/)
    if (!name.startsWith('#')) {
      if (RESERVED_WORDS.has(name.toUpperCase()))
        throw new Refusal(ERRORS.reserved, { Kind: this.#kind, Name: name })
      return name
    }
    const { names, used } = this.#given
    used.add(name)
    const own = Object.hasOwn(names, name) ? names[name] : undefined
    if (own === undefined) throw new Refusal(ERRORS.undefinedName, { Kind: this.#kind, Name: name })
    return own
  }

  #value(name: string): Value {
    const { values, used } = this.#given
    used.add(name)
    const own = Object.hasOwn(values, name) ? values[name] : undefined
    if (own === undefined) throw new Refusal(ERRORS.undefinedValue, { Kind: this.#kind, Name: name })
    return own
  }

  #next(): string {
    return this.#tokens[this.#at] ?? ''
  }

  #skip(word: string): boolean {
    const isNext = this.#next().toUpperCase() === word
    if (isNext) this.#at++
    return isNext
  }

  #take(form = /./): string {
    const token = this.#next()
    if (!form.test(token)) this.#fail()
    this.#at++
    return token
  }

  #fail(): never {
    const Near = this.#tokens.slice(Math.max(0, this.#at - 1), this.#at + 2).join(' ')
    throw new Refusal(ERRORS.syntax, { Kind: this.#kind, Token: this.#next() || '<EOF>', Near })
  }
}

function startsWith(path: Path, start: Path): boolean {
  return start.every((step, at) => path[at] === step)
}
