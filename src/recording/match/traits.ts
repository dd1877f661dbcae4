import type Negotiator from 'negotiator'
import { negotiatorOf } from '../../routing/negotiator.ts'
import type { NameValue } from '../exchange.ts'
import { PSEUDONYM_TEXT } from '../redaction/secrets.ts'
import type { Redactor } from '../redaction/redactor.ts'

/** What besides method, URL and body may decide between recorded answers: headers, each cookie, and secrets, by name. */
export type Traits = ReadonlyMap<string, string>

/** What of an answer content negotiation looks at. */
export interface Negotiable {
  readonly traits: Traits
  /** Its media type, empty where it has none. */
  readonly mediaType: string
  /** Its `Content-Language`, empty where it has none. */
  readonly language: string
  /** Header names that its `Vary` lists, in lower case. */
  readonly vary: readonly string[]
}

// They are of the connection, the length, the moment or the way a request took, or matched in another way.
const NO_TRAIT =
  /^(host|connection|content-length|transfer-encoding|date|te|trailer|expect|via|forwarded|x-forwarded-.*|x-real-ip|if-.*|range|cookie|user-agent|referer|cache-control|pragma|priority|sec-.*|dnt|traceparent|tracestate|max-forwards|(x-)?(request|correlation|trace)-id|x-amz-(date|content-sha256)|amz-sdk-.*)$/
/** Whether a header says something of the request that an answer may depend on. */
export function isTraitHeader(name: string): boolean {
  return !NO_TRAIT.test(name)
}

const SECRETS = '\0secrets'

// The order in which they decide, after those that `Vary` names.
const FIRST = [SECRETS, 'authorization', 'accept', 'accept-language', 'accept-encoding']

/**
 * The traits of a request. Secrets are compared by their pseudonyms.
 * @param hidden URL and body without their secrets, as `Redactor` leaves them
 * @param vary headers that count whatever they are
 */
export function traitsOf(
  headers: readonly NameValue[],
  redactor: Redactor,
  hidden: readonly string[],
  vary: readonly string[] = [],
): Traits {
  const traits = new Map<string, string>()
  const add = (name: string, value: string): void => {
    const before = traits.get(name)
    traits.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  const secrets = hidden
    .flatMap((text) => text.match(PSEUDONYM_TEXT) ?? [])
    .map((each) => each.replace(/(?<!~)~+$/, ''))
  if (secrets.length > 0) add(SECRETS, secrets.join(' '))
  for (const header of headers) {
    const name = header.name.toLowerCase()
    if (name === 'cookie') {
      for (const pair of redactor.header(header).value.split(';')) {
        const equals = pair.indexOf('=')
        add(`cookie ${pair.slice(0, Math.max(0, equals)).trim()}`, pair.slice(equals + 1).trim())
      }
    } else if (!NO_TRAIT.test(name) || vary.includes(name)) add(name, redactor.header(header).value.trim())
  }
  return traits
}

/**
 * The traits that decide between recorded answers to otherwise equal requests: all in which these differ, where their
 * answers differ. Those that a `Vary` names come first, since a server said so; then the user and what was wanted.
 */
export function decidingTraits(recorded: readonly (Negotiable & { readonly answer: string })[]): string[] {
  const [first] = recorded
  if (first === undefined || recorded.every(({ answer }) => answer === first.answer)) return []
  const names = new Set(recorded.flatMap(({ traits }) => [...traits.keys()]))
  const varied = new Set(recorded.flatMap(({ vary }) => vary))
  const rank = (name: string): number => {
    if (varied.has(name) || (varied.has('cookie') && name.startsWith('cookie '))) return -1
    const at = FIRST.indexOf(name)
    return at === -1 ? FIRST.length : at
  }
  const differing = [...names].filter((name) =>
    recorded.some(({ traits }) => traits.get(name) !== first.traits.get(name)),
  )
  return differing.toSorted((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1))
}

/**
 * Those of recorded exchanges that are nearest to a request by one trait: of the same value; where none is, by content
 * negotiation (RFC 9110, section 12.5), or those that have it at all, such as other credentials than in the request; and
 * all of them where that does not help either.
 */
export function nearestBy<Recorded extends Negotiable>(
  recorded: readonly Recorded[],
  name: string,
  wanted: string | undefined,
): readonly Recorded[] {
  const same = recorded.filter(({ traits }) => traits.get(name) === wanted)
  if (same.length > 0 || wanted === undefined) return same.length > 0 ? same : recorded
  const { typeOf, choose } = NEGOTIATED[name] ?? {}
  if (typeOf === undefined || choose === undefined) {
    const having = recorded.filter(({ traits }) => traits.has(name))
    return having.length > 0 ? having : recorded
  }
  const offered = [...new Set(recorded.map((each) => typeOf(each)))].filter((each) => each !== '')
  const [best] = choose(negotiatorOf({ [name]: wanted }), offered)
  return best === undefined ? recorded : recorded.filter((each) => typeOf(each) === best)
}

interface Negotiation {
  readonly typeOf: (recorded: Negotiable) => string
  readonly choose: (by: Negotiator, offered: string[]) => string[]
}

// Codings were taken off when answers were recorded, so that any of them will do.
const NEGOTIATED: Readonly<Record<string, Negotiation>> = {
  accept: {
    typeOf: ({ mediaType }) => mediaType,
    choose: (by, offered) => by.mediaTypes(offered),
  },
  'accept-language': {
    // A server that does not say what language it chose was sent one.
    typeOf: ({ language, traits }) =>
      language === '' ? (/^[\w-]*/.exec(traits.get('accept-language') ?? '')?.[0] ?? '') : language,
    choose: (by, offered) => by.languages(offered),
  },
}
