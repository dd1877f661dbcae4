import type { HttpRequest } from '../../message.ts'
import {
  decodeBare,
  decodeNamed,
  type Decoding,
  cookiePairs,
  decodeForm,
  formPairs,
  type Pair,
} from './parameter-style.ts'
import type { Parameter } from '../../engine/operation.ts'
import { otherPreferences } from './prefer.ts'
import type { Shape, TextTree } from './text-tree.ts'

/** What of a request holds its parameters, taken apart once for all of them. */
export interface Sources {
  readonly path: ReadonlyMap<string, string>
  readonly query: readonly Pair[]
  readonly headers: HttpRequest['headers']
  readonly cookies: readonly Pair[]
}

/** Takes a request apart. @param path its path's values, not yet percent-decoded */
export function sourcesOf({ search, headers }: HttpRequest, path: ReadonlyMap<string, string>): Sources {
  return { path, query: formPairs(search), headers, cookies: cookiePairs(headerOf(headers, 'cookie') ?? '') }
}

/** Finds a parameter as it is written in a request; `undefined` where it is not there. */
export function findParameter(
  sources: Sources,
  parameter: Parameter,
  shape: Shape,
  owns: NonNullable<Decoding['owns']>,
): TextTree | undefined {
  if (parameter.in === 'path') {
    const text = sources.path.get(parameter.name)
    return text === undefined ? undefined : decodeBare(text, parameter, shape, { decode: decodePath })
  }
  if (parameter.in === 'header') {
    const name = parameter.name.toLowerCase()
    const sent = headerOf(sources.headers, name)
    const text = name === 'prefer' && sent !== undefined ? otherPreferences(sent) : sent
    return text === undefined
      ? undefined
      : decodeBare(text, parameter, shape, { decode: (raw) => raw.trim() })
  }
  if (parameter.in === 'query') {
    const pairs =
      shape === 'list' ? sources.query.map((pair) => withoutBrackets(pair, parameter.name)) : sources.query
    return decodeNamed(pairs, parameter, shape, { decode: decodeForm, owns })
  }
  return decodeNamed(cookiesFor(sources, parameter, shape), parameter, shape, { decode: decodePath, owns })
}

/** A request header as one text; lines of the same name are one list (RFC 9110, section 5.3). */
export function headerOf(headers: HttpRequest['headers'], name: string): string | undefined {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined
  return value === undefined || typeof value === 'string'
    ? value
    : value.join(name === 'cookie' ? '; ' : ', ')
}

// A malformed escape stands for itself; a plus is a plus.
function decodePath(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

function withoutBrackets([name, raw]: Pair, wanted: string): Pair {
  return [name === `${wanted}[]` ? wanted : name, raw]
}

// The style table joins the parts of an exploded cookie with ampersands, clients with semicolons.
function cookiesFor({ cookies }: Sources, { explode }: Parameter, shape: Shape): readonly Pair[] {
  if (!explode || shape === 'text') return cookies
  return cookies.flatMap(([name, raw]) => formPairs(`${name}=${raw}`))
}
