import { isObject } from '../../engine/schema/schema.ts'
import type { Sample } from './sample.ts'

/** Where a request has a value that an answer may repeat or be chosen by. */
export interface Source {
  readonly in: 'path' | 'query' | 'body' | 'header'
  readonly name: string
}

/** A value that has no parts. */
export type Scalar = string | number | boolean

/** Headers that say something of a request rather than of the client or the connection. */
const NO_SOURCE =
  /^(accept|accept-.*|host|user-agent|connection|content-.*|cookie|authorization|origin|referer|cache-control|pragma|te|trailer|transfer-encoding|expect|via|forwarded|x-forwarded-.*|sec-.*|if-.*|dnt|priority|upgrade.*)$/

/** The scalars of a request by where they stand. @param path the values of the path's parameters */
export function sourcesOf(sample: Sample, path: Readonly<Record<string, string>>): [Source, Scalar][] {
  const scalars = (place: Source['in'], values: Readonly<Record<string, unknown>>): [Source, Scalar][] =>
    Object.entries(values).flatMap(([name, value]) => (isScalar(value) ? [[{ in: place, name }, value]] : []))
  const headers = Object.entries(sample.headers).filter(([name]) => !NO_SOURCE.test(name))
  return [
    ...scalars('path', path),
    ...scalars('query', sample.query),
    ...(isObject(sample.body) ? scalars('body', sample.body) : []),
    ...scalars('header', Object.fromEntries(headers)),
  ]
}

/** Whether a value has no parts. */
export function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value)
}
