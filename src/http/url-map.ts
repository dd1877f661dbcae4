/** A base URL, and the one that stands in its place. */
export interface MappedUrl {
  readonly from: string
  readonly to: string
}

/** Puts base URLs in place of others. */
export interface UrlMap {
  /**
   * One URL; or a path, which is taken for one of the first server. Only how it begins counts: a URL in its query is
   * for the server that reads it, which knows itself by its own name.
   */
  reference(text: string): string
  /** A text, one letter a byte. What is replaced stands there as a whole origin, however its slashes are escaped. */
  text(text: string): string
  /** The same for a text that comes in pieces: what may be the beginning of a URL waits for the next piece. */
  rewriter(): TextRewriter
}

/** Replaces URLs in the pieces of one text. */
export interface TextRewriter {
  write(piece: string): string
  end(): string
}

// As HTML, JSON, JSON within JSON, and scripts write them.
const SLASHES = ['/', '\\/', '\\\\/', '\\\\\\/', '&#x2f;', '&#47;', '\\u002f', '\\x2f']
const COLONS = [':', '&#58;', '&#x3a;', '\\u003a', '\\x3a']

// What may not follow, since the host or path would be another: more of a name, a port, user information. Of the bytes
// beyond ASCII, only those of punctuation and spaces end a name.
const NOT_OVER = String.raw`[\w%@~+-]|\.[\w-]|:[\w/]|[\x80-\xc1\xc3-\xe1\xe4-\xee\xf0-\xff]|\xc2(?![\xa0-\xbf])|\xe2(?![\x80\x81])|\xe3(?!\x80)|\xef(?!\xbc)`
const UNDECIDED = /^[.:\xc2\xe2\xe3\xef]?$/
// Of `news://` no part is a URL, but the last letter of an escape is none of the scheme.
const BEFORE_SCHEME = String.raw`(?:(?<![A-Za-z\d])|(?<=\\[bfnrt]|\\u[\dA-Fa-f]{4}))`
const BEFORE_SLASHES = String.raw`(?<![\w:;/\\.~%@-])`
const SCHEME_HERE = new RegExp(BEFORE_SCHEME, 'y')
const SLASHES_HERE = new RegExp(BEFORE_SLASHES, 'y')
const LONGEST_BEFORE = 6
const LONGEST_AFTER = 2

interface Found {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

interface CompiledUrl {
  /** One of each of these follow one another: scheme, colon, slash, slash, host, and the path. */
  readonly parts: readonly (readonly string[])[]
  /** Finds the host, which is quicker than to find what comes before it; with that in the groups. */
  readonly source: string
  readonly to: URL
  readonly path: string
}

/** What comes before a host that was found, and the parts of it: scheme and colon, if they are there, and one slash. */
type Before = readonly [whole: string, scheme: string | undefined, colon: string | undefined, slash: string]

const GROUPS = 4

/** @param urls where two fit, the one with the longer path counts, or else the first */
export function createUrlMap(urls: readonly MappedUrl[]): UrlMap {
  const [first] = urls.map(({ from, to }) => ({ from: basePathOf(from), to: basePathOf(to) }))
  const compiled = urls.map(compile).toSorted((a, b) => b.parts.length - a.parts.length)
  const hosts = new RegExp(compiled.map(({ source }) => source).join('|'), 'g')
  const longest = Math.max(...compiled.map(({ parts }) => longestOf(parts)))

  // The first URL in a text from an index on: where it begins and ends, and what takes its place.
  const find = (text: string, from: number): Found | undefined => {
    hosts.lastIndex = from
    const match = hosts.exec(text)
    if (match === null) return undefined
    const at = compiled.findIndex((_, index) => match[index * GROUPS + 1] !== undefined)
    const [whole, scheme, colon = '', slash] = match.slice(at * GROUPS + 1) as unknown as Before
    const { to, path } = compiled[at] as CompiledUrl
    return {
      start: match.index - whole.length,
      end: hosts.lastIndex,
      replacement: `${schemeLike(scheme, to)}${colon}${slash}${slash}${to.host}${path.replaceAll('/', slash)}`,
    }
  }
  const mayBegin = (text: string, at: number): boolean =>
    compiled.some(
      ({ parts }) =>
        (isUnfinished(text, at, parts) && isAt(SCHEME_HERE, text, at)) ||
        (isUnfinished(text, at, parts.slice(2)) && isAt(SLASHES_HERE, text, at)),
    )
  const rewriter = (): TextRewriter => {
    // The last of what was given out, which the next is looked at along with; and what was not given out.
    let [before, held] = ['', '']
    const rewrite = (piece: string, isLast: boolean): string => {
      const text = before + held + piece
      let undecided = isLast ? text.length : Math.max(before.length, text.length - longest)
      while (undecided < text.length && !mayBegin(text, undecided)) undecided++
      let [from, out] = [before.length, '']
      for (let found = find(text, from); found !== undefined; found = find(text, found.end)) {
        if (found.start >= undecided) break
        // Of what was given out it was decided that nothing begins there; all that spoke for that is not here any more.
        if (found.start < from) continue
        out += text.slice(from, found.start) + found.replacement
        from = found.end
      }
      const end = Math.max(from, undecided)
      out += text.slice(from, end)
      before = text.slice(Math.max(0, end - LONGEST_BEFORE), end)
      held = text.slice(end)
      return out
    }
    return { write: (piece) => rewrite(piece, false), end: () => rewrite('', true) }
  }
  return {
    rewriter,
    text(text) {
      const { write, end } = rewriter()
      return write(text) + end()
    },
    reference(text) {
      const found = find(text.slice(0, longest + LONGEST_AFTER), 0)
      if (found?.start === 0) return found.replacement + text.slice(found.end)
      if (first === undefined || first.from === first.to || !isPath(text) || !isBelow(text, first.from))
        return text
      return first.to + text.slice(first.from.length)
    },
  }
}

/** Whether a path, perhaps with a query, is a base path or below it. */
export function isBelow(path: string, base: string): boolean {
  return path.startsWith(base) && /^[/?#]?$/.test(path.charAt(base.length))
}

/** The path of a base URL, without a slash at its end. */
export function basePathOf(url: string): string {
  return new URL(url).pathname.replace(/(?<!\/)\/+$/, '')
}

// What begins with two slashes, or what browsers take for them, names a host.
function isPath(text: string): boolean {
  return /^\/(?![/\\])/.test(text)
}

function compile({ from, to }: MappedUrl): CompiledUrl {
  const { protocol, port, host } = new URL(from)
  const isSecure = protocol === 'https:'
  const start = [
    isSecure ? ['https', 'wss'] : ['http', 'ws'],
    ...[COLONS, SLASHES, SLASHES],
    port === '' ? [`${host}:${isSecure ? 443 : 80}`, host] : [host],
  ]
  const segments = basePathOf(from).split('/').slice(1)
  const path = segments.flatMap((segment) => [SLASHES, [segment]])
  const [scheme, colon, slash, ...others] = start.map((texts) => anyOf(texts.map(anyCase)))
  const rest = path.map((texts) => anyOf(texts.map(texts === SLASHES ? anyCase : literal)))
  const [secondSlash, authority] = others
  const before = `((?:${BEFORE_SCHEME}(${scheme})(${colon})|${BEFORE_SLASHES})(${slash})${secondSlash})`
  return {
    parts: [...start, ...path],
    source: `${authority}(?<=${before}${authority})${rest.join('')}(?!${NOT_OVER})`,
    to: new URL(to),
    path: basePathOf(to),
  }
}

function anyOf(sources: readonly string[]): string {
  return `(?:${sources.join('|')})`
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

// The flag for that would take letters beyond ASCII for others, too.
function anyCase(text: string): string {
  return text.replace(/[^a-z]/g, literal).replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}

function longestOf(parts: CompiledUrl['parts']): number {
  return parts.reduce((sum, texts) => sum + Math.max(...texts.map((text) => text.length)), 1)
}

/** Whether a text ends at a place where the parts, from that index on, still may, or may not, all be there. */
function isUnfinished(text: string, at: number, parts: CompiledUrl['parts']): boolean {
  let ends: readonly number[] = [at]
  for (const texts of parts) {
    const next: number[] = []
    for (const end of ends) {
      for (const each of texts) {
        const there = text.slice(end, end + each.length).toLowerCase()
        if (!each.toLowerCase().startsWith(there)) continue
        if (there.length < each.length) return true
        next.push(end + each.length)
      }
    }
    if (next.length === 0) return false
    ends = next
  }
  return ends.some((end) => UNDECIDED.test(text.slice(end)))
}

function isAt(sticky: RegExp, text: string, at: number): boolean {
  sticky.lastIndex = at
  return sticky.test(text)
}

function schemeLike(scheme: string | undefined, { protocol }: URL): string {
  if (scheme === undefined) return ''
  const isSecure = protocol === 'https:'
  if (/^ws/i.test(scheme)) return isSecure ? 'wss' : 'ws'
  return isSecure ? 'https' : 'http'
}
