import { literalPattern } from '../routing/path-template.ts'

type ReadTemplate = (
  name: string,
  value: string,
) => { readonly field: string; readonly value: string } | undefined

/** A parameter without the number that it may have as one of several: `populate` for `populate[0]` and `populate[]`. */
export function plainParameter(name: string): string {
  return name.replace(/\[\d*\]$/, '')
}

/** Whether the name of a parameter says which field it is. */
export function hasField(template: string): boolean {
  return /^[^=]*\{field\}/i.test(template)
}

/**
 * Makes what reads a field and a value from a parameter, by a template such as `{field}_gte`, `{field}=gte.{value}` or
 * `filter={field}:gte:{value}`. `{Field}` is a field whose name begins in upper case here.
 */
export function readerOf(template: string): ReadTemplate {
  const [names = '', values = '{value}'] = template.split(/=(.*)/s)
  if (!hasField(template)) return readerOfValues(names, values)
  const name = patternOf(names, /\{field\}/i, '([\\w.-]+?)')
  const value = patternOf(values, /\{value\}/, '(.*)')
  const isCapital = names.includes('{Field}')
  return (givenName, givenValue) => {
    const [, field] = name.exec(givenName) ?? []
    const [, text] = value.exec(givenValue) ?? []
    if (field === undefined || text === undefined) return undefined
    if (!isCapital) return { field, value: text }
    return /^[A-Z]/.test(field) ? { field: field[0]?.toLowerCase() + field.slice(1), value: text } : undefined
  }
}

function readerOfValues(name: string, values: string): ReadTemplate {
  const [before = '', ...rest] = values.split('{field}')
  const [between = '', after = ''] = rest.join('').split('{value}').map(literalPattern)
  const pattern = new RegExp(`^${literalPattern(before)}([\\w.-]+?)${between}(.*)${after}$`, 's')
  return (givenName, given) => {
    const [, field, value] = givenName === name ? (pattern.exec(given) ?? []) : []
    return field === undefined || value === undefined ? undefined : { field, value }
  }
}

function patternOf(template: string, place: RegExp, group: string): RegExp {
  const parts = template.split(place).map(literalPattern)
  return new RegExp(`^${parts.join(group)}$`, 's')
}
