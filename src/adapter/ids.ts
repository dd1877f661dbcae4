import { hash } from 'node:crypto'
import type { Seed } from '../engine/random.ts'

/** What an id is made of: whatever names its thing for good. */
export type IdPart = string | number | boolean | null

/** Ids that are the same whenever they are made of the same seed and parts. */
export interface IdSource {
  /** A UUID in the form of version 4. */
  uuid(...parts: readonly IdPart[]): string
  /** A whole number from 1 to 2^52. */
  number(...parts: readonly IdPart[]): number
  /** Hexadecimal digits, at most 64. */
  hex(length: number, ...parts: readonly IdPart[]): string
}

/** The ids of a seed. */
export function createIdSource(seed: Seed): IdSource {
  // JSON keeps ['ab', 'c'] and ['a', 'bc'] apart, and 1 and '1'.
  const digest = (parts: readonly IdPart[]): string =>
    hash('sha256', JSON.stringify([String(seed), ...parts]))
  return {
    uuid(...parts) {
      const digits = digest(parts)
      const variant = '89ab'[Number.parseInt(digits.charAt(16), 16) % 4]
      return [
        digits.slice(0, 8),
        digits.slice(8, 12),
        `4${digits.slice(13, 16)}`,
        `${variant}${digits.slice(17, 20)}`,
        digits.slice(20, 32),
      ].join('-')
    },
    number: (...parts) => Number.parseInt(digest(parts).slice(0, 13), 16) + 1,
    hex: (length, ...parts) => digest(parts).slice(0, length),
  }
}
