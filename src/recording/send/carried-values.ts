import { LRUCache } from 'lru-cache'
import { type Exchange, headerValues, type NameValue } from '../exchange.ts'
import { isParticular, MAX_LENGTH, ownerOfPath, rolesOf, type ValuePlace } from './value-roles.ts'
import { changeBody, changeText, changeUrl, type Change } from './change-values.ts'
import { type MessageBody, readMessage, splitUrl, writeJson } from './message-body.ts'
import { pairBodies, type PairedValue, pairText } from './pair-values.ts'

/** A recorded exchange with the bodies it has. */
export interface WholeExchange {
  readonly exchange: Exchange
  readonly requestBody?: Buffer | undefined
  readonly responseBody?: Buffer | undefined
}

/** What a server answered to a request that stands for a recorded one; its body with no content coding. */
export interface LiveAnswer {
  readonly headers: readonly NameValue[]
  readonly body?: Buffer | undefined
}

/** The request to send in place of a recorded one. */
export interface CarriedRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** As recorded, those of the connection and the body's length included. */
  readonly headers: readonly NameValue[]
  readonly body: Buffer | undefined
}

/** The values that a server gives out and clients give back, carried from live answers to later requests. */
export interface CarriedValues {
  /** The request to send in place of a recorded one, by the answers until now. */
  request(recorded: WholeExchange): CarriedRequest
  /** Learns from what was answered in place of the recorded answer. */
  answer(recorded: WholeExchange, live: LiveAnswer): void
  /** The values that a recorded request may have from an answer, and those that the recorded answer gives. */
  ties(recorded: WholeExchange): { readonly uses: ReadonlySet<string>; readonly gives: ReadonlySet<string> }
}

/** How values are carried. */
export interface CarryOptions {
  /** The path that live URLs begin with and recorded ones do not, such as `/v2`. */
  readonly basePath?: string | undefined
  /** Texts by what stands for them in the recording, such as secrets by their pseudonyms. */
  readonly replacements?: ReadonlyMap<string, string> | undefined
}

/** Letters of values that are remembered; the least recently used are forgotten. */
const MAX_LETTERS = 64 * 1024 * 1024
/** Of the connection, and of the moment. */
const NOT_CARRIED =
  /^(date|age|connection|keep-alive|transfer-encoding|content-(length|type|encoding)|server|host|accept|accept-encoding|accept-language|user-agent|via)$/i

/**
 * Makes requests of recorded ones that fit a server which gives out other ids, revisions, locations, tokens and cookies
 * than the recorded one did. Where a value of a recorded answer comes again in a later recorded request, in its path,
 * query, headers, cookies or body, the request gets the value that the live answer has in that place. A value that is
 * particular, such as a UUID, is the same wherever it is; a short one, such as `7`, only as the id of the same thing or
 * under the same name. It neither sends anything nor waits: give it the exchanges in the order they were recorded, each
 * answer before the requests that follow from it.
 *
 * ```ts
 * const values = createCarriedValues()
 * for await (const recorded of exchanges) values.answer(recorded, await send(values.request(recorded)))
 * ```
 */
export function createCarriedValues({ basePath = '', replacements }: CarryOptions = {}): CarriedValues {
  const known = new LRUCache<string, string>({
    maxSize: MAX_LETTERS,
    sizeCalculation: (text, key) => text.length + key.length + 1,
  })
  const lookUp = (text: string, place: ValuePlace): string => {
    for (const key of keysOf(text, place)) {
      const found = known.get(key)
      if (found !== undefined) return found
    }
    return text
  }
  const replace = (text: string): string => {
    let replaced = text
    for (const [stand, real] of replacements ?? []) replaced = replaced.replaceAll(stand, () => real)
    return replaced
  }

  return {
    request({ exchange, requestBody }) {
      // What a user gives goes before what was answered.
      const change: Change = (text, place) => (replacements?.has(text) === true ? text : lookUp(text, place))
      const { url, headers, body } = changeRequest(exchange, requestBody, change)
      const text = body.changed ?? (replacements === undefined ? undefined : body.text)
      return {
        method: exchange.request.method,
        url: replace(url),
        headers: headers.map(({ name, value }) => ({ name, value: replace(value) })),
        body: text === undefined ? requestBody : Buffer.from(replace(text)),
      }
    },
    answer(recorded, live) {
      const { exchange, responseBody } = recorded
      const isRead = exchange.request.method === 'GET' || exchange.request.method === 'HEAD'
      const sent = usedBy(recorded)
      const note = ({ place, recorded: text, live: now, isInList }: PairedValue): void => {
        const isCookie = place.owner === COOKIE
        const value = place.name === '/' ? withoutBase(now, basePath) : now
        for (const key of keysOf(text, place)) {
          // What the client sent itself was not given to it.
          if (sent.has(key) || value.length > MAX_LENGTH) continue
          if (isCookie || !known.has(key) || !(isRead || isInList)) known.set(key, value)
        }
      }
      const place = placeOfRequest(exchange)
      pairHeaders(exchange.response.headers, live.headers, place, note)
      if (responseBody === undefined || live.body === undefined || responseBody.equals(live.body)) return
      const [was, is] = [typeIn(exchange.response), typeIn(live)]
      pairBodies(readMessage(responseBody, was), readMessage(live.body, is), place, lookUp, note)
    },
    ties(recorded) {
      const uses = usedBy(recorded)
      const gives = new Set<string>()
      const isWrite = !/^(GET|HEAD|OPTIONS)$/.test(recorded.exchange.request.method)
      const place = placeOfRequest(recorded.exchange)
      const change: Change = (text, at) => {
        // What was written is there from then on, though it was the client that named it.
        for (const key of keysOf(text, at)) if (isWrite || !uses.has(key)) gives.add(key)
        return text
      }
      for (const { name, value } of recorded.exchange.response.headers)
        if (!NOT_CARRIED.test(name)) changeHeader(name, value, place, change)
      changeBody(readMessage(recorded.responseBody, typeIn(recorded.exchange.response)), place, change)
      return { uses, gives }
    },
  }
}

const COOKIE = 'cookie of'

// A cookie is known by its name, however short its value is.
function keysOf(text: string, place: ValuePlace): readonly string[] {
  if (text === '') return []
  if (place.owner === COOKIE)
    return [`${COOKIE} ${place.name} ${text}`, ...(isParticular(text) ? [text] : [])]
  if (place.name === '/') return [`path ${text}`]
  if (isParticular(text)) return [text]
  if (/^(true|false|null)$/.test(text)) return []
  return rolesOf(place).map((role) => `${role} ${text}`)
}

function usedBy({ exchange, requestBody }: WholeExchange): ReadonlySet<string> {
  const used = new Set<string>()
  changeRequest(exchange, requestBody, (text, place) => {
    for (const key of keysOf(text, place)) used.add(key)
    return text
  })
  return used
}

interface ChangedRequest {
  readonly url: string
  readonly headers: readonly NameValue[]
  /** The text of a body that has one, and what it is changed to. */
  readonly body: { readonly text: string | undefined; readonly changed: string | undefined }
}

function changeRequest({ request }: Exchange, bytes: Buffer | undefined, change: Change): ChangedRequest {
  const place = placeOfRequest({ request })
  const { path, search } = splitUrl(request.url)
  const body = readMessage(bytes, typeIn(request))
  const changed = changeBody(body, place, change)
  return {
    url: changeUrl(`${path === '' ? '/' : path}${search === '' ? '' : `?${search}`}`, place, change),
    headers: request.headers.map(({ name, value }) =>
      NOT_CARRIED.test(name) ? { name, value } : { name, value: changeHeader(name, value, place, change) },
    ),
    body: {
      text: body.kind === 'none' ? undefined : bytes?.toString(),
      changed: changed === body ? undefined : textOf(changed),
    },
  }
}

function textOf(body: MessageBody): string | undefined {
  if (body.kind === 'json') return writeJson(body.value)
  if (body.kind === 'form')
    return String(new URLSearchParams(body.pairs.map(([name, value]): [string, string] => [name, value])))
  return body.kind === 'text' ? body.text : undefined
}

function changeHeader(name: string, value: string, place: ValuePlace, change: Change): string {
  if (!/^(set-)?cookie$/i.test(name)) return changeText(value, { ...place, name }, change)
  const [pairs, rest] = /^set-/i.test(name)
    ? [/^[^;]*/.exec(value)?.[0] ?? '', /;.*$/s.exec(value)?.[0] ?? '']
    : [value, '']
  const changed = pairs.split(';').map((pair) => {
    const [, before = '', own = '', text = ''] = /^(([^=]*)=)(.*)$/s.exec(pair) ?? []
    return before === ''
      ? pair
      : `${before}${change(text.trim(), { ...place, owner: COOKIE, name: own.trim() })}`
  })
  return changed.join(';') + rest
}

// Of several headers of a name, the n-th is the n-th; cookies are known by their names.
function pairHeaders(
  recorded: readonly NameValue[],
  live: readonly NameValue[],
  place: ValuePlace,
  note: (pair: PairedValue) => void,
): void {
  const left = [...live]
  for (const { name, value } of recorded) {
    if (NOT_CARRIED.test(name)) continue
    const isCookie = name.toLowerCase() === 'set-cookie'
    const index = left.findIndex(
      (header) =>
        header.name.toLowerCase() === name.toLowerCase() &&
        (!isCookie || cookieIn(header.value).name === cookieIn(value).name),
    )
    const [found] = index === -1 ? [] : left.splice(index, 1)
    if (found === undefined) continue
    if (isCookie) {
      const [one, other] = [cookieIn(value), cookieIn(found.value)]
      const at = { ...place, owner: COOKIE, name: one.name }
      note({ place: at, recorded: one.value, live: other.value, isInList: false })
    } else pairText(value, found.value, { ...place, name }, note)
  }
}

function cookieIn(header: string): NameValue {
  const [, name = '', value = ''] = /^([^=;]*)=([^;]*)/.exec(header) ?? []
  return { name: name.trim(), value: value.trim() }
}

function placeOfRequest({ request }: Pick<Exchange, 'request'>): ValuePlace {
  const { path } = splitUrl(request.url)
  return { name: '', owner: ownerOfPath(path.split('/')), endpoint: path }
}

function typeIn({ headers }: { readonly headers: readonly NameValue[] }): string | undefined {
  return headerValues(headers, 'content-type')[0]
}

function withoutBase(path: string, basePath: string): string {
  return basePath !== '' && path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path
}
