import { OptionInvalid } from '../../errors.ts'
import { createMemo, type Memo } from '../files/memo.ts'

/** What is hidden besides what always is, and what is not. */
export interface RedactionRules {
  /** Names of headers, cookies, fields and parameters whose values are secrets; `*` stands for any characters. */
  readonly names?: readonly string[] | undefined
  /** Names whose values are none, whatever else says so. What looks like a secret by itself is still hidden. */
  readonly except?: readonly string[] | undefined
  /** Regular expressions of texts that are secrets wherever they are. */
  readonly patterns?: readonly string[] | undefined
}

/** Rules that are ready to be asked. */
export interface Redaction {
  /** By the squeezed name. */
  readonly isNamed: (name: string) => boolean
  readonly isExempt: (name: string) => boolean
  readonly patterns: readonly RegExp[]
  /** What was found out by these rules: names that are secret or not, and headers without a secret, as JSON texts. */
  readonly names: Memo<boolean>
  readonly cleanHeaders: Memo<string>
}

/** A name as it is compared: `X-Api-Key`, `api_key` and `apiKey` are spelled in one way. */
export function squeeze(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/** @throws OptionInvalid for a pattern that is no regular expression, or one that fits everything */
export function compileRedaction({ names = [], except = [], patterns = [] }: RedactionRules = {}): Redaction {
  const rules = { isNamed: matcherOf(names), isExempt: matcherOf(except), patterns: patterns.map(patternOf) }
  return { ...rules, ...nothingKnown() }
}

function nothingKnown(): Pick<Redaction, 'names' | 'cleanHeaders'> {
  return { names: createMemo(), cleanHeaders: createMemo() }
}

let inForce = compileRedaction()

/** The rules that are in force. */
export function redaction(): Redaction {
  return inForce
}

/** Puts rules in force for whoever is given none of their own. */
export function useRedaction(rules: Redaction): void {
  inForce = rules
}

/** The rules for what is asked at a path: a store of secrets gets and gives them whatever its fields are called. */
export function rulesAt(path: string, rules: Redaction): Redaction {
  if (!SECRET_STORE.test(path)) return rules
  const isNamed: Redaction['isNamed'] = (name) => rules.isNamed(name) || isStored(name)
  return { ...rules, isNamed, ...nothingKnown() }
}

const SECRET_STORE = /\/secrets?(?:[/?]|$)/i
const isStored = matcherOf(['*value', 'data'])

/** Does something with other rules in force. It must not be asynchronous. */
export function withRedaction<Result>(rules: Redaction, act: () => Result): Result {
  const before = inForce
  inForce = rules
  try {
    return act()
  } finally {
    inForce = before
  }
}

function matcherOf(names: readonly string[]): (name: string) => boolean {
  if (names.length === 0) return () => false
  const forms = names.map((name) => name.split('*').map(squeeze).join('.*'))
  const pattern = new RegExp(`^(?:${forms.join('|')})$`)
  return (name) => pattern.test(name)
}

function patternOf(source: string): RegExp {
  try {
    const pattern = new RegExp(source, 'gu')
    if (!''.match(pattern)) return pattern
  } catch (error) {
    throw new OptionInvalid(`A pattern of secrets is no regular expression: ${(error as Error).message}`, {
      cause: error,
    })
  }
  throw new OptionInvalid(`A pattern of secrets must not fit an empty text, as '${source}' does`)
}
