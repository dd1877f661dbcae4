import type { Parameter } from '../../../src/engine/operation.ts'
import type { Sent } from './reading.ts'

type Scalar = string | number | boolean
export type Value = Scalar | readonly Scalar[] | Readonly<Record<string, Scalar>>

// RFC 6570, section 3.2.1: everything outside of the unreserved characters is escaped.
function escape(text: Scalar): string {
  return encodeURIComponent(String(text)).replace(/[!'()*]/g, hex)
}

function hex(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Writes a value as OpenAPI 3.1's style table has it (Parameter Object). */
export function writeParameter({ name, in: place, style, explode }: Parameter, value: Value): string {
  const encode = (text: Scalar): string => {
    if (place === 'header') return String(text)
    return style === 'label' ? escape(text).replaceAll('.', '%2E') : escape(text)
  }
  if (style === 'deepObject') {
    return Object.entries(value)
      .map(([key, each]) => `${name}[${escape(key)}]=${encode(each as Scalar)}`)
      .join('&')
  }
  const isNamed = style !== 'simple' && style !== 'label'
  const prefix = { label: '.', matrix: ';' }[style as string] ?? ''
  const between = { label: '.', matrix: ';', simple: ',' }[style as string] ?? '&'
  const within = { spaceDelimited: '%20', pipeDelimited: '%7C' }[style as string] ?? ','
  const named = (text: string): string => (isNamed ? `${escape(name)}=${text}` : text)

  if (typeof value !== 'object') return prefix + named(encode(value))
  if (Array.isArray(value)) {
    const items = (value as Scalar[]).map(encode)
    return prefix + (explode ? items.map(named).join(between) : named(items.join(within)))
  }
  const entries = Object.entries(value).map(([key, each]) => [encode(key), encode(each)] as const)
  return explode
    ? prefix + entries.map((entry) => entry.join('=')).join(between)
    : prefix + named(entries.flat().join(within))
}

/** A request with a parameter in its place, to the path `/x/{name}` or `/x`. */
export function requestWith(parameter: Parameter, value: Value): Sent {
  const text = writeParameter(parameter, value)
  if (parameter.in === 'path') return { path: `/x/${text}` }
  if (parameter.in === 'query') return { path: '/x', search: text }
  if (parameter.in === 'header') return { path: '/x', headers: { [parameter.name.toLowerCase()]: text } }
  // An exploded object that is open takes every other cookie for a field.
  const isOpen = parameter.explode && typeof value === 'object' && !Array.isArray(value)
  return { path: '/x', headers: { cookie: isOpen ? text : `a=b; ${text}` } }
}
