import type { Headers } from '../../message.ts'

/** What a request prefers of its answer (RFC 7240); other preferences are left unmentioned, as unknown ones are. */
export interface Preferences {
  /** `code`: the status to answer with, as the request writes it. */
  readonly code?: string | undefined
  /** `example`: the name of the example to answer with. */
  readonly example?: string | undefined
  /** `dynamic`: whether the body is generated rather than taken from an example. */
  readonly dynamic?: boolean | undefined
}

// RFC 7230, section 3.2.6: a token, or a quoted string with its escapes.
const TOKEN = String.raw`[!#$%&'*+.^_\x60|~0-9A-Za-z-]+`
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`
const PREFERENCE = new RegExp(
  String.raw`[\s,;]*(?<name>${TOKEN})(?:\s*=\s*(?<value>${TOKEN}|${QUOTED})?)?\s*(?=[,;]|$)`,
  'sy',
)
const MALFORMED = /[\s,;]*(?:"(?:[^"\\]|\\.)*"?|[^,;"])+/sy

/**
 * Reads the `Prefer` headers of a request. Preferences may be separated by commas or, as users of mock servers write
 * them, by semicolons. The first of a name counts; what is malformed is ignored.
 */
export function readPreferences({ prefer }: Headers): Preferences {
  if (prefer === undefined) return NONE
  const texts = new Map<string, string>()
  for (const { name, value } of preferencesIn([prefer].flat().join(','))) {
    if (!texts.has(name)) texts.set(name, value)
  }
  const [code, example, dynamic] = FOLLOWED.map((name) => texts.get(name))
  return {
    ...(code !== undefined && code !== '' && { code }),
    ...(example !== undefined && example !== '' && { example }),
    ...(dynamic !== undefined && { dynamic: dynamic.toLowerCase() !== 'false' }),
  }
}

/** The preferences of a request that has none. */
export const NONE: Preferences = {}

const FOLLOWED = ['code', 'example', 'dynamic']

/** What a `Prefer` header asks of the API itself, whose own preferences these are not; `undefined` for nothing. */
export function otherPreferences(text: string): string | undefined {
  const all = [...preferencesIn(text)]
  const others = all.filter(({ name }) => !FOLLOWED.includes(name))
  if (others.length === all.length) return text
  return others.length === 0 ? undefined : others.map(({ written }) => written).join(', ')
}

interface Preference {
  readonly name: string
  readonly value: string
  /** As the header has it. */
  readonly written: string
}

function* preferencesIn(text: string): Iterable<Preference> {
  let at = 0
  while (at < text.length) {
    PREFERENCE.lastIndex = at
    const found = PREFERENCE.exec(text)
    if (found !== null) {
      const { name = '', value = '' } = found.groups ?? {}
      const written = found[0].replace(/^[\s,;]+/, '').trimEnd()
      yield { name: name.toLowerCase(), value: unquoted(value), written }
    }
    MALFORMED.lastIndex = at
    at = found === null ? at + Math.max(1, MALFORMED.exec(text)?.[0].length ?? 1) : PREFERENCE.lastIndex
  }
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value
}

/** The value of `Preference-Applied` for the preferences that an answer followed; `undefined` where there are none. */
export function appliedText({ code, example, dynamic }: Preferences): string | undefined {
  const applied = Object.entries({ code, example, dynamic })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${word(String(value))}`)
  return applied.length === 0 ? undefined : applied.join(', ')
}

const ONLY_TOKEN = new RegExp(`^${TOKEN}$`)

function word(value: string): string {
  return ONLY_TOKEN.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`
}
