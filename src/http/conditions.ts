/** What a request makes its answer depend on: preconditions and ranges (RFC 9110, sections 13.1 and 14.2). */
export interface Conditions {
  readonly 'if-match'?: string
  readonly 'if-none-match'?: string
  readonly 'if-modified-since'?: string
  readonly 'if-unmodified-since'?: string
  readonly range?: string
  readonly 'if-range'?: string
}

/** What distinguishes one state of a resource from another (RFC 9110, section 8.8). */
export interface Validators {
  readonly etag: string | undefined
  readonly lastModified: string | undefined
}

/** Bytes of a representation; both ends belong to it. */
export interface ByteRange {
  readonly first: number
  readonly last: number
}

const CONDITION = /^(if-match|if-none-match|if-modified-since|if-unmodified-since|(?:x-ms-)?range|if-range)$/i

/**
 * The conditions of a request by name; `undefined` when it has none. Clients that may not set a `Range` say it as
 * `x-ms-range` (Azure Storage REST API, Get Blob).
 */
export function conditionsOf(
  headers: readonly { readonly name: string; readonly value: string }[],
): Conditions | undefined {
  let found: Record<string, string> | undefined
  for (const { name, value } of headers) {
    if (!CONDITION.test(name)) continue
    found ??= {}
    const key = name.toLowerCase().replace(/^x-ms-/, '')
    found[key] = found[key] === undefined ? value.trim() : `${found[key]}, ${value.trim()}`
  }
  return found
}

/** Whether a `Cache-Control` of a request says `no-cache` (RFC 9111, section 5.2.1.4), as that of a reload does. */
export function asksAnew(caching: string | undefined): boolean {
  return caching !== undefined && /(^|[\s,])no-cache($|[\s,])/i.test(caching)
}

/** A text that is equal for equal conditions; empty for none. */
export function conditionsText(conditions: Conditions | undefined): string {
  if (conditions === undefined) return ''
  const sorted = Object.entries(conditions).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([name, value]) => `${name}: ${value}`).join('\n')
}

/**
 * What preconditions say of a resource that is there, in the order of RFC 9110, section 13.2.2. A validator that is
 * not known refuses nothing.
 */
export function evaluate(
  method: string,
  conditions: Conditions,
  { etag, lastModified }: Validators,
): 'met' | 'not modified' | 'failed' {
  const { 'if-match': match, 'if-none-match': noneMatch } = conditions
  const isRead = method === 'GET' || method === 'HEAD'
  if (match !== undefined) {
    if (etag !== undefined && !hasTag(match, etag, isSameOrWeakened)) return 'failed'
  } else if (isAfter(lastModified, conditions['if-unmodified-since'])) return 'failed'
  if (noneMatch !== undefined) {
    const isThere = noneMatch === '*' || (etag !== undefined && hasTag(noneMatch, etag, isSameWeakly))
    if (!isThere) return 'met'
    return isRead ? 'not modified' : 'failed'
  }
  const since = conditions['if-modified-since']
  const isKnown =
    lastModified !== undefined && dateOf(since) !== undefined && !isNaN(Date.parse(lastModified))
  return isRead && isKnown && !isAfter(lastModified, since) ? 'not modified' : 'met'
}

/**
 * Whether an answer `304` that was recorded is also that of a request with these conditions: its validators must be
 * among them. Where the answer names none, those that it was given to count.
 */
export function isStillNotModified(
  conditions: Conditions,
  { etag, lastModified }: Validators,
  recorded: Conditions,
): boolean {
  const known = {
    etag: etag ?? recorded['if-none-match'],
    lastModified: lastModified ?? recorded['if-modified-since'],
  }
  return evaluate('GET', conditions, known) === 'not modified'
}

/**
 * The bytes that a request asks for of so many (RFC 9110, sections 14.1.2 and 13.1.5); `undefined` where it is to get
 * all of them: without a range, with several, with one that is malformed, or when its `If-Range` is not met.
 */
export function rangeOf(
  conditions: Conditions,
  validators: Validators,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const { range, 'if-range': unless } = conditions
  if (range === undefined || (unless !== undefined && !isSameState(unless, validators))) return undefined
  const [, start = '', end = ''] = /^bytes=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i.exec(range) ?? []
  if (start === '' && end === '') return undefined
  if (start === '') {
    const count = Number(end)
    return count === 0 || length === 0
      ? 'unsatisfiable'
      : { first: Math.max(0, length - count), last: length - 1 }
  }
  const first = Number(start)
  if (end !== '' && Number(end) < first) return undefined
  if (first >= length) return 'unsatisfiable'
  return { first, last: end === '' ? length - 1 : Math.min(Number(end), length - 1) }
}

/** What a `Content-Range` says (RFC 9110, section 14.4); `undefined` where the whole length is not known. */
export function contentRangeOf(value: string | undefined): (ByteRange & { length: number }) | undefined {
  const [, first, last, length] = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(value?.trim() ?? '') ?? []
  if (first === undefined) return undefined
  return { first: Number(first), last: Number(last), length: Number(length) }
}

function isSameState(unless: string, { etag, lastModified }: Validators): boolean {
  if (/^(W\/)?"/.test(unless)) return etag !== undefined && isSameStrongly(unless, etag)
  return lastModified !== undefined && dateOf(unless) === dateOf(lastModified)
}

function hasTag(list: string, etag: string, isSame: (one: string, other: string) => boolean): boolean {
  if (list.trim() === '*') return true
  const tags = list.match(/(?:W\/)?"[^"]*"|[^\s,"]+/g) ?? []
  return tags.some((tag) => isSame(tag, etag))
}

function isSameStrongly(one: string, other: string): boolean {
  return one === other && !one.startsWith('W/')
}

// A client whose body had its URLs rewritten has the strong tag in its weak form.
function isSameOrWeakened(one: string, other: string): boolean {
  return isSameStrongly(one.replace(/^W\//, ''), other)
}

function isSameWeakly(one: string, other: string): boolean {
  return one.replace(/^W\//, '') === other.replace(/^W\//, '')
}

function isAfter(one: string | undefined, other: string | undefined): boolean {
  const [is, was] = [dateOf(one), dateOf(other)]
  return is !== undefined && was !== undefined && is > was
}

function dateOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? '')
  return Number.isNaN(time) ? undefined : time
}
