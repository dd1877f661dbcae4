import { createRequire } from 'node:module'
import { lazy } from '../../engine/lazy.ts'
import type { Exchange } from '../exchange.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { leavesOf, pointerOf, type Leaf } from './leaves.ts'
import { scan } from './scan.ts'

/** A secret in an exchange. The secret itself is never part of it. */
export interface ExchangeFinding {
  /** JSON pointer (RFC 6901) in the exchange; after `#` one in the JSON that a text is, or a line of a text. */
  readonly pointer: string
  /** The rule that found it. */
  readonly kind: string
}

const jsonc = lazy(() => createRequire(import.meta.url)('jsonc-parser') as typeof import('jsonc-parser'))

/** Finds what the redactor would hide, and what the rules of secretlint fit. */
export async function auditExchange(exchange: Exchange, redactor: Redactor): Promise<ExchangeFinding[]> {
  const findings = [...findRedacted(exchange, redactor.exchange(exchange))]
  const leaves = [...leavesOf(exchange)]
  const starts: number[] = []
  let length = 0
  for (const { text } of leaves) {
    starts.push(length)
    length += text.length + 1
  }
  for (const { kind, start } of await scan(leaves.map(({ text }) => text).join('\n'))) {
    const index = starts.findLastIndex((each) => each <= start)
    const { pointer, text, start: head } = leaves[index] as Leaf
    const inner = placeIn(text.slice(head), Math.max(0, start - (starts[index] ?? 0) - head))
    findings.push({ pointer: `${pointer}${pointer.includes('#') ? '' : inner}`, kind })
  }
  const unique = new Map(findings.map((each) => [`${each.pointer} ${each.kind}`, each]))
  return [...unique.values()]
}

// In JSON, the member that a place belongs to; in a text of several lines, the line.
function placeIn(text: string, offset: number): string {
  if (/^\s*[{[]/.test(text)) {
    const path = pathAt(text, offset)
    if (path.length > 0) return `#${path.map((step) => pointerOf(step)).join('')}`
  }
  return text.includes('\n') ? `#line ${text.slice(0, offset).split('\n').length}` : ''
}

function pathAt(text: string, offset: number): readonly (string | number)[] {
  try {
    return jsonc().getLocation(text, offset).path
  } catch (error) {
    // It is nested too deep to be looked through.
    if (error instanceof RangeError) return []
    throw error
  }
}

/** Where what is redacted differs from what it was made of. */
function* findRedacted(whole: unknown, redacted: unknown): Generator<ExchangeFinding> {
  const waiting: (readonly [before: unknown, after: unknown, pointer: string])[] = [[whole, redacted, '']]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [before, after, pointer] = next
    if (before === after) continue
    if (typeof before === 'string' && typeof after === 'string') yield* findInText(before, after, pointer)
    else if (isTree(before) && isTree(after)) {
      for (const [name, value] of Object.entries(before).toReversed())
        waiting.push([value, after[name], pointer + pointerOf(name)])
    } else {
      // Where the text is gone, the reason stands beside it.
      const isGone = after === undefined && pointer.endsWith('/text')
      yield { pointer, kind: before === undefined || isGone ? UNCHECKED : NAMED }
    }
  }
}

const NAMED = 'sim/redacted'
const UNCHECKED = 'sim/unchecked'

function* findInText(before: string, after: string, pointer: string): Generator<ExchangeFinding> {
  const [tree, other] = [parse(before), parse(after)]
  if (isTree(tree) && isTree(other)) {
    for (const { pointer: inner, kind } of findRedacted(tree, other))
      yield { pointer: pointer.includes('#') ? `${pointer}${inner}` : `${pointer}#${inner}`, kind }
    return
  }
  const start = firstDifference(before, after)
  yield {
    pointer: pointer.includes('#') ? pointer : `${pointer}${placeIn(before, start)}`,
    kind: NAMED,
  }
}

function firstDifference(one: string, other: string): number {
  let at = 0
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

function parse(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
