import { OptionInvalid } from '../../errors.ts'

/** Paths of one shape become paths of another. */
export interface Rewrite {
  /** Such as `/v1/users/{id}`; a parameter is one segment, and `{rest*}` at the end all that are left. */
  readonly from: string
  /** What it becomes, with the parameters put in. */
  readonly to: string
}

/** The path after the first rewrite that fits; the path itself when none does. */
export type RewritePath = (path: string) => string

const PARAMETER = /\{(\w+)\*?\}/g

/** @throws OptionInvalid when a template has no slash at its start, or names a parameter that is not there */
export function createRewrite(rewrites: readonly Rewrite[]): RewritePath {
  const compiled = rewrites.map((rewrite) => ({ ...rewrite, expression: compile(rewrite) }))
  return (path) => {
    for (const { expression, to } of compiled) {
      const groups = expression.exec(path)?.groups
      if (groups !== undefined) return to.replace(PARAMETER, (_whole, name: string) => groups[name] ?? '')
    }
    return path
  }
}

// Made of literals and `[^/]+` between slashes alone, so that no path takes it long.
function compile({ from, to }: Rewrite): RegExp {
  for (const template of [from, to]) {
    if (!/^\/[^?#\s]*$/.test(template))
      throw invalid(`'${template}' must start with '/', and be a path alone`)
  }
  const segments = from.split('/').map((segment, index, all) => {
    const [whole, name] = /^\{(\w+)\*?\}$/.exec(segment) ?? []
    if (whole === undefined) {
      if (/[{}]/.test(segment)) throw invalid(`'${from}': a parameter is a whole segment, such as {id}`)
      return segment.replace(/[\\^$.*+?()[\]|]/g, '\\$&')
    }
    if (!whole.endsWith('*}')) return `(?<${name}>[^/]+)`
    if (index < all.length - 1)
      throw invalid(`'${from}': ${whole} takes all that is left, so it must be last`)
    return `(?<${name}>.*)`
  })
  const names = [...from.matchAll(PARAMETER)].map(([, name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw invalid(`'${from}' names the parameter '${twice}' twice`)
  const unknown = [...to.matchAll(PARAMETER)].find(([, name]) => !names.includes(name))
  if (unknown !== undefined) throw invalid(`'${to}' names ${unknown[0]}, which '${from}' does not`)
  return new RegExp(`^${segments.join('/')}$(?<_>)`, 's')
}

function invalid(problem: string): OptionInvalid {
  return new OptionInvalid(`rewrite: ${problem}`)
}
