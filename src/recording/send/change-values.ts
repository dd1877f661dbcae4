import { isObject } from '../../engine/schema/schema.ts'
import { decodeSegment } from '../../routing/path-template.ts'
import {
  digitsOf,
  isLocation,
  MAX_DEPTH,
  type MessageBody,
  numberOf,
  PARTS,
  splitUrl,
  TOKEN,
} from './message-body.ts'
import { MAX_LENGTH, ownerBelow, type ValuePlace } from './value-roles.ts'

/** A value in place of another. */
export type Change = (text: string, place: ValuePlace) => string

/** A body with its values changed; the one given where none is. */
export function changeBody(body: MessageBody, place: ValuePlace, change: Change): MessageBody {
  if (body.kind === 'none') return body
  if (body.kind === 'text') {
    const text = changeText(body.text, place, change)
    return text === body.text ? body : { kind: 'text', text }
  }
  if (body.kind === 'form') {
    const pairs = body.pairs.map(
      ([name, value]) => [name, changeText(value, { ...place, name }, change)] as const,
    )
    return pairs.every(([, value], index) => value === body.pairs[index]?.[1])
      ? body
      : { kind: 'form', pairs }
  }
  const value = changeJson(body.value, place, change, 0)
  return value === body.value ? body : { kind: 'json', value }
}

function changeJson(value: unknown, place: ValuePlace, change: Change, depth: number): unknown {
  if (depth > MAX_DEPTH) return value
  const digits = digitsOf(value)
  if (digits !== undefined) {
    const changed = change(digits, place)
    return changed === digits ? value : numberOf(changed)
  }
  if (typeof value === 'string') return changeText(value, place, change)
  if (Array.isArray(value)) {
    const items = value.map((item) => changeJson(item, place, change, depth + 1))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  if (!isObject(value)) return value
  const owner = ownerBelow(place.owner, place.name)
  const entries = Object.entries(value).map(
    ([name, each]) =>
      [
        change(name, { ...place, name: '', owner }),
        changeJson(each, { ...place, name, owner }, change, depth + 1),
      ] as const,
  )
  const names = Object.keys(value)
  const isSame = entries.every(([name, each], index) => name === names[index] && each === value[name])
  return isSame ? value : Object.fromEntries(entries)
}

/** A text with its values changed: the whole, or else words of it and parts of URLs in it. */
export function changeText(text: string, place: ValuePlace, change: Change): string {
  if (text.length <= MAX_LENGTH) {
    const whole = change(text, place)
    if (whole !== text) return whole
  }
  if (isLocation(text)) return changeUrl(text, place, change)
  let before = place.name
  return text.replaceAll(TOKEN, (word) => {
    const at = { ...place, name: before }
    before = word
    if (isLocation(word)) return changeUrl(word, at, change)
    const changed = change(word, at)
    return changed === word && PARTS.test(word) ? changeParts(word, at, change) : changed
  })
}

function changeParts(word: string, place: ValuePlace, change: Change): string {
  return word.replaceAll(/[^/:@]+/g, (part) => change(part, { ...place, name: '' }))
}

/** A URL with the values of its path and query changed, as they are encoded where they are not. */
export function changeUrl(url: string, place: ValuePlace, change: Change): string {
  const { origin, path, search } = splitUrl(url)
  const rest = url.slice(origin.length + path.length + (search === '' ? 0 : search.length + 1))
  const whole = change(path, { ...place, name: '/' })
  const segments = path.split('/')
  const changedPath =
    whole === path
      ? segments.map((segment, index) => changeSegment(segment, segments[index - 1] ?? '', change)).join('/')
      : whole
  const changedOrigin = origin === '' ? '' : change(origin, { ...place, name: '' })
  const query =
    search === ''
      ? ''
      : `?${search
          .split('&')
          .map((pair) => changePair(pair, place, change))
          .join('&')}`
  return `${changedOrigin}${changedPath}${query}${rest}`
}

function changeSegment(segment: string, owner: string, change: Change): string {
  if (segment === '') return segment
  const decoded = decodeSegment(segment)
  const at = { name: 'id', owner, endpoint: '' }
  const changed = change(decoded, at)
  if (changed !== decoded) return encodeURIComponent(changed)
  const parts = decoded.replaceAll(/[^/:@()'",;=]+/g, (part) => change(part, { ...at, name: '' }))
  return parts === decoded ? segment : encodeURIComponent(parts)
}

function changePair(pair: string, place: ValuePlace, change: Change): string {
  const equals = pair.indexOf('=')
  if (equals === -1) return pair
  const [name, value] = [...new URLSearchParams(pair)][0] ?? ['', '']
  const changed = changeText(value, { ...place, name }, change)
  return changed === value ? pair : `${pair.slice(0, equals + 1)}${encodeURIComponent(changed)}`
}
