import { textOf } from './json.ts'
import type { Parameter } from './operations.ts'

/** A request's target, headers and cookies as they grow by parameters. */
export interface Target {
  path: string
  readonly query: string[]
  readonly headers: Record<string, string>
  readonly cookies: string[]
}

const DELIMITERS: Readonly<Record<string, string>> = {
  spaceDelimited: '%20',
  pipeDelimited: '%7C',
  tabDelimited: '%09',
}

/** Writes a value where and how its parameter asks for (OpenAPI 3.1, Parameter Object, Style Values). */
export function write(target: Target, parameter: Parameter, value: unknown): void {
  const { name, in: place } = parameter
  const isText = place === 'header'
  const encode = isText ? textOf : encodeURIComponent
  const plain = (): string =>
    parameter.mediaType === undefined
      ? joined(value, parameter.explode, encode)
      : encode(JSON.stringify(value))
  if (place === 'path')
    target.path = target.path.replace(`{${name}}`, () => inPath(parameter, value, plain()))
  else if (place === 'header') target.headers[name.toLowerCase()] = plain()
  else if (place === 'cookie') target.cookies.push(`${name}=${plain()}`)
  else target.query.push(...pairs(parameter, value, plain))
}

function inPath({ name, style, explode }: Parameter, value: unknown, plain: string): string {
  if (style === 'label') return `.${explode ? plain.replaceAll(',', '.') : plain}`
  if (style !== 'matrix') return plain
  return explode && Array.isArray(value)
    ? value.map((item) => `;${name}=${encodeURIComponent(textOf(item))}`).join('')
    : `;${name}=${plain}`
}

function pairs(
  { name, style, explode, mediaType }: Parameter,
  value: unknown,
  plain: () => string,
): string[] {
  const key = encodeURIComponent(name)
  if (mediaType !== undefined || typeof value !== 'object' || value === null) return [`${key}=${plain()}`]
  const entries = Object.entries(value)
  if (style === 'deepObject') {
    return entries.map(
      ([field, part]) => `${key}%5B${encodeURIComponent(field)}%5D=${encodeURIComponent(textOf(part))}`,
    )
  }
  if (Array.isArray(value)) {
    if (explode) return value.map((item) => `${key}=${encodeURIComponent(textOf(item))}`)
    const items = value.map((item) => encodeURIComponent(textOf(item)))
    return [`${key}=${items.join(DELIMITERS[style] ?? ',')}`]
  }
  if (explode)
    return entries.map(([field, part]) => `${encodeURIComponent(field)}=${encodeURIComponent(textOf(part))}`)
  return [`${key}=${plain()}`]
}

function joined(value: unknown, explode: boolean, encode: (text: string) => string): string {
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item))).join(',')
  if (typeof value !== 'object' || value === null) return encode(textOf(value))
  return Object.entries(value)
    .map(([field, part]) => `${encode(field)}${explode ? '=' : ','}${encode(textOf(part))}`)
    .join(',')
}
