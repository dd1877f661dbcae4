import { isObject } from '../../engine/schema/schema.ts'
import type { Parameter } from '../../engine/operation.ts'

/** How a value is written. */
export interface Style {
  readonly name: string
  readonly style?: Parameter['style'] | undefined
  readonly explode?: boolean | undefined
  readonly mediaType?: string | undefined
}

/** The text of a value in a path or a header, percent-encoded (OpenAPI 3.1, Style Values). */
export function textOf(style: Style, value: unknown): string {
  const { name, style: form = 'simple', explode = false } = style
  if (style.mediaType !== undefined) return encodeURIComponent(JSON.stringify(value))
  if (form === 'matrix') return matrixOf(name, explode, value)
  const separator = form === 'label' && explode ? '.' : ','
  return `${form === 'label' ? '.' : ''}${partsOf(value, explode).join(separator)}`
}

function matrixOf(name: string, explode: boolean, value: unknown): string {
  const key = encodeURIComponent(name)
  if (!explode) return `;${key}=${partsOf(value, false).join(',')}`
  if (Array.isArray(value)) return value.map((each) => `;${key}=${encoded(each)}`).join('')
  return isObject(value)
    ? partsOf(value, true)
        .map((part) => `;${part}`)
        .join('')
    : `;${key}=${encoded(value)}`
}

/** The names and texts of a value in a query, a form or cookies, percent-encoded. */
export function pairsOf(style: Style, value: unknown): [string, string][] {
  const { name, style: form = 'form', explode = true } = style
  const key = encodeURIComponent(name)
  if (style.mediaType !== undefined) return [[key, encodeURIComponent(JSON.stringify(value))]]
  if (isObject(value) && form === 'deepObject')
    return Object.entries(value).map(([field, each]) => [
      `${key}%5B${encodeURIComponent(field)}%5D`,
      encoded(each),
    ])
  if (explode && Array.isArray(value)) return value.map((each) => [key, encoded(each)])
  if (explode && isObject(value))
    return Object.entries(value).map(([field, each]) => [encodeURIComponent(field), encoded(each)])
  return [[key, partsOf(value, false).join(SEPARATORS[form] ?? ',')]]
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' }

function partsOf(value: unknown, explode: boolean): string[] {
  if (Array.isArray(value)) return value.map(encoded)
  if (!isObject(value)) return [encoded(value)]
  return Object.entries(value).flatMap(([field, each]) =>
    explode ? [`${encodeURIComponent(field)}=${encoded(each)}`] : [encodeURIComponent(field), encoded(each)],
  )
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value ?? '') ?? '')
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))
}

const BOUNDARY = 'sim-sample-boundary'

/** A multipart body of named fields (RFC 7578). */
export function multipart(fields: Readonly<Record<string, unknown>>): {
  readonly type: string
  readonly payload: string
} {
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).map((each) => {
      const isData = typeof each === 'object' && each !== null
      const type = isData ? '\r\ncontent-type: application/json' : ''
      const text = typeof each === 'string' ? each : JSON.stringify(each)
      return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${type}\r\n\r\n${text}\r\n`
    }),
  )
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    payload: `${parts.join('')}--${BOUNDARY}--\r\n`,
  }
}
