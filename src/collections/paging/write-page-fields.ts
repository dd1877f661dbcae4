import type { Checker } from '../../engine/schema/checker.ts'
import { textOf } from '../../engine/schema/keywords.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { linksOf } from './link-list.ts'
import { isTokenName, type PageFacts, type PageField } from './page-fields.ts'
import { plainName } from './page-parameters.ts'

/**
 * Writes into an answer what is true of its page. What the schema cannot hold stays as it was generated.
 * @param facts without a total where no request wants it
 */
export function writePageFields(
  body: Record<string, unknown>,
  fields: readonly PageField[],
  facts: Omit<PageFacts, 'total'> & { readonly total: number | undefined },
  checker: Checker,
): void {
  const undo: (() => void)[] = []
  for (const field of fields) {
    const { path, schema, required, fact } = field
    if (field.holder !== undefined && isNowhere(facts[fact])) {
      removeHolder(body, path.slice(0, -1), field.holder, checker)
      continue
    }
    const holder = holderOf(field)
    const name = path.at(-1)
    if (!isObject(holder) || name === undefined) continue
    if (field.links !== undefined) {
      const links = linksOf(facts, field.links, schema, checker)
      if (links !== undefined) holder[name] = links
      continue
    }
    const said = isBesideNone(field, fields, facts) ? {} : facts[fact]
    const value = candidates(said, name, field).find((each) => checker.fits(each, schema))
    if (value !== undefined) holder[name] = value
    else if (!required && fact !== 'self' && (said === undefined || isObject(said))) delete holder[name]
  }
  for (const restore of undo) restore()

  // A neighbour that is there has an object, be it one that was left out or null, if what is known of it is enough.
  function holderOf({ path, holder }: PageField): unknown {
    const own = memberAt(body, path.slice(0, -1))
    const above = memberAt(body, path.slice(0, -2))
    const name = path.at(-2)
    if (holder === undefined || isObject(own) || !isObject(above) || name === undefined) return own
    const made = {}
    above[name] = made
    undo.push(() => {
      if (checker.fits(made, holder.schema)) return
      if (own === undefined) delete above[name]
      else above[name] = own
    })
    return made
  }
}

/** The ends of a list, which answers may name beside a neighbour alone. */
const BESIDE: Partial<Record<keyof PageFacts, 'next' | 'previous'>> = { first: 'previous', last: 'next' }

// Where both may be left out, the first page is named by pages that have one before them, and the last likewise.
function isBesideNone(
  { fact, required, path }: PageField,
  fields: readonly PageField[],
  facts: Omit<PageFacts, 'total'>,
): boolean {
  const neighbour = required ? undefined : BESIDE[fact]
  if (neighbour === undefined || !isNowhere(facts[neighbour])) return false
  const at = path.slice(0, -1).join('/')
  return fields.some(
    (each) => each.fact === neighbour && !each.required && each.path.slice(0, -1).join('/') === at,
  )
}

function isNowhere(fact: PageFacts[keyof PageFacts] | undefined): boolean {
  return typeof fact === 'object' && (fact.number ?? fact.token ?? fact.url) === undefined
}

function removeHolder(
  body: Record<string, unknown>,
  path: readonly string[],
  { schema, required }: NonNullable<PageField['holder']>,
  checker: Checker,
): void {
  const above = memberAt(body, path.slice(0, -1))
  const name = path.at(-1)
  if (!isObject(above) || name === undefined) return
  if (checker.fits(null, schema)) above[name] = null
  else if (!required) delete above[name]
}

// A neighbour that is not there is null where that may be, else left out, else an empty text.
function candidates(
  fact: PageFacts[keyof PageFacts] | undefined,
  name: string,
  { schema, required }: PageField,
): readonly unknown[] {
  if (fact === undefined) return []
  if (typeof fact !== 'object') return [fact]
  const { number, token, url } = fact
  const isUrl =
    /^(uri|url|iri)/.test(textOf(schema, 'format') ?? '') || /(url|link|href|path)$/.test(plainName(name))
  // What takes no absolute URL may take one that is relative to the server.
  const ways = url === undefined ? [] : [url, url.replace(/^\w+:\/\/[^/]+/, '')]
  const urls = plainName(name) === 'path' ? ways.toReversed() : ways
  // Where pages have numbers, what is called neither a token nor a URL is the latter.
  const isUrlFirst = isUrl || (number !== undefined && !isTokenName(name))
  const known = [number, ...(isUrlFirst ? [...urls, token] : [token, ...urls])]
  const found = known.filter((value) => value !== undefined)
  return found.length > 0 ? found : [null, ...(required ? [''] : [])]
}
