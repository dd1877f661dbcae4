const PARAMETER = /\{([^{}]+)\}/g
/** The most parts of a template between slashes, which are looked up by calls within each other. */
export const MAX_SEGMENTS = 500
const REST = /^\{[^{}]+\*\}$/

/** One segment of a path template: literals, percent-decoded, with a parameter between each two of them. */
export interface TemplateSegment {
  readonly literals: readonly string[]
  /** The names of its parameters, in order. */
  readonly names: readonly string[]
  /** Whether its one parameter takes one or more segments, as `{path*}` does: all further ones where it is the last. */
  readonly takesMore: boolean
  readonly takesRest: boolean
}

/** The segments of a path or template: those between slashes, without the empty one after a slash at its end. */
export function segmentsOf(path: string): string[] {
  const segments = splitPath(path)
  if (segments.at(-1) === '') segments.pop()
  return segments
}

/** All segments of a path or template, the empty one after a slash at its end included. */
export function splitPath(path: string): string[] {
  return path.split('/').slice(path.startsWith('/') ? 1 : 0)
}

/** Reads the segments of a template, as `segmentsOf` or `splitPath` gives them. */
export function readTemplate(segments: readonly string[]): readonly TemplateSegment[] {
  return segments.map((segment, index) => {
    const takesMore = REST.test(segment)
    const takesRest = takesMore && index === segments.length - 1
    const names = namesOf(segment)
    return {
      literals: segment.split(/\{[^{}]+\}/).map(decodeSegment),
      names: takesMore ? names.map((name) => name.slice(0, -1)) : names,
      takesMore,
      takesRest,
    }
  })
}

/** The names of a template's parameters as they are written, in order. */
export function namesOf(template: string): string[] {
  return [...template.matchAll(PARAMETER)].map(([, name]) => name ?? '')
}

const ITEM = /^(.*)\/\{([^{}]+)\}(\.[A-Za-z]\w*)?\/?$/

/**
 * The template of items as that of their collection and the parameter that names one: `/users/{id}.json` is `/users.json`
 * and `id`, and `/users/{id}/` is `/users` and `id`; `undefined` for a path that does not end in a parameter.
 */
export function splitItemPath(
  path: string,
): { readonly collection: string; readonly parameter: string } | undefined {
  const [, above = '', parameter, suffix = ''] = ITEM.exec(path) ?? []
  return parameter === undefined ? undefined : { collection: above + suffix || '/', parameter }
}

/** The template of the collection whose items have a path, or that of the collection itself. */
export function collectionPath(path: string): string {
  return splitItemPath(path)?.collection ?? withoutLastSlash(path)
}

/** A template without the names of its parameters: templates of the same shape match the same paths. */
export function pathShape(template: string): string {
  return withoutLastSlash(
    template.replace(PARAMETER, (_, name: string) => (name.endsWith('*') ? '{*}' : '{}')),
  )
}

/** A path without a slash at its end, which matches as well with one. */
export function withoutLastSlash(path: string): string {
  return path.replace(/([^/])\/$/, '$1')
}

/** Percent-decodes a segment, or another text. One with a malformed escape stands for itself. */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** A segment of a path with all encoded that may not stand in one (RFC 3986, section 3.3), and braces, which name parameters. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|40|24|2C|2B|3D|26|3B)/g, decodeURIComponent)
}

/** The source of a regular expression that matches a text as it is. */
export function literalPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/**
 * Whether a text is made of these literals with something between each two of them. Each of these values is as short
 * as it can be, but that after a last dot alone, which is a file's extension: one without its dot, or with it where
 * nothing lies before the last. They are put into `values` from `at` on.
 */
export function matchLiterals(
  literals: readonly string[],
  text: string,
  values: string[],
  at: number,
): boolean {
  const last = literals.length - 1
  const first = literals[0] ?? ''
  const ending = literals[last] ?? ''
  if (!text.startsWith(first) || !text.endsWith(ending)) return false
  const end = text.length - ending.length
  let start = first.length
  for (let index = 1; index < last; index++) {
    const literal = literals[index] ?? ''
    const isExtension = (literal === '.' || literal === '') && index === last - 1 && ending === ''
    const dot = isExtension ? text.lastIndexOf('.', end - 2) : -1
    const found = dot > start ? dot : text.indexOf(literal, start + 1)
    if (found <= start) return false
    values[at + index - 1] = text.slice(start, found)
    start = found + literal.length
  }
  if (end <= start) return false
  values[at + last - 1] = text.slice(start, end)
  return true
}

/** Whether a path has no malformed escape. */
export function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}

/** Values by the names of a template's parameters. */
export function paramsOf(
  names: readonly string[],
  values: readonly string[],
): Readonly<Record<string, string>> {
  const params: Record<string, string> = {}
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? ''
    const value = values[index] ?? ''
    // Assigned, this one would be the prototype.
    if (name === '__proto__')
      Object.defineProperty(params, name, { value, enumerable: true, configurable: true, writable: true })
    else params[name] = value
  }
  return params
}

/** A path without what says in which form it is answered: `/users` and `/users.json` are of the same things. */
export function plainPath(path: string): string {
  return path.replace(/(?<=[^/.])\.(?:json|xml)$/, '')
}
