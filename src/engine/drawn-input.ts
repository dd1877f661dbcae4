import { kindOfName, normalizeName } from '../recording/redaction/names.ts'
import { looksRandom } from '../recording/redaction/random-look.ts'
import { createMemo } from '../memo.ts'
import type { Input } from './input.ts'
import { remembered } from './lazy.ts'
import type { RouteDefinition } from './route.ts'

/** Gives what of an input decides what is drawn. */
export type DrawnInput = (input: Input) => Input

/** What API keys are called besides, where their values look it. */
const KEY_NAMES = new Set(['key', 'auth'])

const isSecretName = remembered(
  (name: string) => kindOfName(name) === 'secret' && !normalizeName(name).includes('session'),
  createMemo<boolean>(),
)

/**
 * Leaves credentials out of a route's input, so that whoever makes a request gets the same answer, also with a new token
 * or without any. What is in the path names something, and stays, as does a session.
 */
export function createDrawnInput({ parameters, options }: RouteDefinition): DrawnInput {
  const kept = new Set([...parameters, options.seedFrom])
  const isCredential = (name: string, value: unknown): boolean => {
    if (kept.has(name)) return false
    return isSecretName(name) || (typeof value === 'string' && KEY_NAMES.has(name) && looksRandom(value))
  }
  return (input) => {
    for (const name in input)
      if (isCredential(name, input[name]))
        return Object.fromEntries(Object.entries(input).filter(([each, value]) => !isCredential(each, value)))
    return input
  }
}
