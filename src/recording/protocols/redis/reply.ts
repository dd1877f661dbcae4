/** What a command gives, as the Redis protocol (RESP2) has it. */
export type Reply = string | number | null | Simple | Failed | readonly Reply[]

/** A status, such as `OK`. */
export interface Simple {
  readonly ok: string
}

export interface Failed {
  readonly error: string
}

/** Ends a command with an error. */
export class Refusal extends Error {}

export const OK: Simple = { ok: 'OK' }
export const NOT_INTEGER = 'ERR value is not an integer or out of range'
export const NOT_FLOAT = 'ERR value is not a valid float'
export const SYNTAX = 'ERR syntax error'
export const NO_KEY = 'ERR no such key'

const [LEAST, GREATEST] = [-(2n ** 63n), 2n ** 63n - 1n]

/** A text as a number of 64 bits. @throws Refusal for any other text */
export function bigOf(text: string, otherwise = NOT_INTEGER): bigint {
  const value = /^(0|-?[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined
  if (value === undefined || value < LEAST || value > GREATEST) throw new Refusal(otherwise)
  return value
}

export function integerOf(text: string): number {
  return Number(bigOf(text))
}

/** The sum of two numbers of 64 bits. @throws Refusal where it has more */
export function sumOf(a: bigint, b: bigint): bigint {
  const sum = a + b
  if (sum < LEAST || sum > GREATEST) throw new Refusal('ERR increment or decrement would overflow')
  return sum
}

/** A text as a number with a fraction or an infinity. @throws Refusal for any other text */
export function floatOf(text: string, otherwise = NOT_FLOAT): number {
  const [, sign = '', name] = /^([+-]?)(inf(?:inity)?)$/i.exec(text) ?? []
  if (name !== undefined) return sign === '-' ? -Infinity : Infinity
  const isNumber = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)
  if (!isNumber) throw new Refusal(otherwise)
  return Number(text)
}

export function formatFloat(value: number): string {
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  return String(value).replace(/e([+-])(\d)$/, 'e$10$2')
}

/** Those from one index to another, which count from the end where they are negative. */
export function between<Value>(all: readonly Value[], from: string, to: string): readonly Value[] {
  const [start, end] = [integerOf(from), integerOf(to)]
  const at = (index: number): number => (index < 0 ? all.length + index : index)
  return all.slice(Math.max(at(start), 0), Math.max(at(end) + 1, 0))
}
