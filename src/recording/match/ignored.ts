import { type Context, createContext, Script } from 'node:vm'
import { OptionInvalid } from '../../errors.ts'
import { readPointer } from '../../engine/schema/pointer.ts'

/** Replaces what differs from run to run in texts that are to be compared. */
export type Settle = (text: string) => string

/** What stands in place of a volatile value. */
export const SETTLED = '<ignored>'

/** Where nothing differs. */
export const AS_IT_IS: Settle = (text) => text

const MAX_MS = 1000
const FEW_LETTERS = 4096

/**
 * Does work in which volatile values are replaced in texts of so many letters together.
 * @throws OptionInvalid naming the pattern that takes too long
 */
export type WithSettled = <Result>(letters: number, work: (settle: Settle) => Result) => Result

/** Replaces every match of these regular expressions. Each piece of work has a second for all of it. */
export function createSettle(sources: readonly string[]): WithSettled {
  if (sources.length === 0) return (_letters, work) => work(AS_IT_IS)
  const patterns = sources.map((source) => new RegExp(source, 'g'))
  const isQuick = sources.every(isPlain)
  let current: RegExp | undefined
  const settle: Settle = (text) =>
    patterns.reduce((settled, pattern) => {
      current = pattern
      return settled.replace(pattern, SETTLED)
    }, text)

  return (letters, work) => {
    // Watching the time takes longer than most of the work.
    if (isQuick && letters <= FEW_LETTERS) return work(settle)
    const done = withinTime(MAX_MS, () => ({ result: work(settle) }))
    if (done !== undefined) return done.result
    throw new OptionInvalid(
      `The pattern '${current?.source}' took longer than ${MAX_MS} ms. Write it without one repetition in another`,
    )
  }
}

// With a single repetition whose length is free, and none of a group, the time grows with the square of the text.
function isPlain(source: string): boolean {
  const free = source.match(/[*+?]|\{\d+,\d*\}/g) ?? []
  return free.length <= 1 && !/\)[*+{]|\\[1-9k]|\(\?/.test(source)
}

// Of all that Node has, only a script's timeout ends a regular expression that is at work.
const SCRIPT = new Script('run()')
// Made once, since that takes a millisecond.
let context: (Context & { run?: () => void }) | undefined

/** What `run` returns, or `undefined` when it took longer than `ms`; then it was broken off. It must not be async. */
function withinTime<Result>(ms: number, run: () => Result): Result | undefined {
  let result: Result | undefined
  context ??= createContext({})
  context.run = () => void (result = run())
  try {
    SCRIPT.runInContext(context, { timeout: ms })
    return result
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    return undefined
  } finally {
    delete context.run
  }
}

/** The parts of a JSON pointer (RFC 6901) in which `*` stands for every item of a list and every member of an object. */
export type PointerGlob = readonly string[]

/** Reads such a pointer; `undefined` for a text that is none. The empty one is the whole. */
export function readPointerGlob(text: string): PointerGlob | undefined {
  if (text === '') return []
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined
  return readPointer(text)
}

/** A JSON value without what the pointers lead to; `undefined` when that is all of it. The value itself stays as it is. */
export function withoutPointers(value: unknown, pointers: readonly PointerGlob[]): unknown {
  if (pointers.length === 0) return value
  if (pointers.some((parts) => parts.length === 0)) return undefined
  if (value === null || typeof value !== 'object') return value
  const below = (name: string): PointerGlob[] =>
    pointers.filter(([first]) => first === name || first === '*').map((parts) => parts.slice(1))
  const kept = Object.entries(value)
    .map(([name, part]) => [name, withoutPointers(part, below(name))] as const)
    .filter(([, part]) => part !== undefined)
  return Array.isArray(value) ? kept.map(([, part]) => part) : Object.fromEntries(kept)
}
