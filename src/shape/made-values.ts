import { formatsOf } from './formats.ts'

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const TOKEN = /^(W\/)?"?(\d{1,6}-)?([\w+/=-]{12,})"?$/

/** Which kind of value a server makes up a text may be: a time, or an id or hash of some form; `undefined` for others. */
export function madeKind(text: string): string | undefined {
  if (HTTP_DATE.test(text)) return 'http-date'
  if (/^\d{4}-\d\d-\d\dT/.test(text) && formatsOf(text).includes('date-time')) return 'date-time'
  if (UUID.test(text)) return 'uuid'
  if (/^\d{10,}$/.test(text)) return 'long number'
  const own = TOKEN.exec(text)?.[3] ?? ''
  if (!/\d/.test(own) || !/[a-z]/i.test(own)) return undefined
  // What is that long has something in it, which may be of any length.
  return own.length > 64 ? 'token' : `id of ${text.length}`
}
