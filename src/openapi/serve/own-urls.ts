import { urlOfCall } from '../../collections/paging/page-links.ts'
import { lazy, remembered } from '../../engine/lazy.ts'
import type { RouteDefinition } from '../../engine/route.ts'
import { groupBy } from '../../grouping.ts'
import { createMemo } from '../../memo.ts'
import type { HttpRequest, WrittenContent } from '../../message.ts'
import { createRouter } from '../../routing/router.ts'
import { collectionPath, literalPattern } from '../../routing/path-template.ts'
import type { OpenApiRoute } from './choose-response.ts'
import { answerMediaOf } from './resource/resource.ts'

/** Where URLs of items lead as long as no request says what the gateway's address is, and the description none. */
export const NO_ADDRESS = 'http://localhost'

/** What was written of a value that is kept, such as an example: it is sent again and again. */
export class KeptContent implements WrittenContent {
  readonly type: string
  readonly data: string | Uint8Array
  /** Whether URLs in it are of what the gateway answers; `undefined` until somebody looks. */
  mayLead: boolean | undefined
  /** As it is for those who came to an address. */
  led: { readonly address: string; readonly content: WrittenContent } | undefined

  constructor({ type, data }: WrittenContent) {
    this.type = type
    this.data = data
  }
}

/** Finds in the answers of a route the URLs of what is described, which the gateway answers itself. */
export interface OwnUrls {
  /**
   * A written answer of a model whose URLs lead back to where its request came to. Those of nothing described stay, and
   * so do all where the model, or that of the same items at their other path, has the format `url`: for validators that
   * know it, an address such as 127.0.0.1 is none.
   */
  leadBack(content: WrittenContent, call: HttpRequest, model: object): WrittenContent
}

export function createOwnUrls(
  { operation, path }: OpenApiRoute,
  routes: readonly RouteDefinition[],
): OwnUrls {
  const origins = [...new Set([...(operation.origins ?? []), NO_ADDRESS])]
  const expression = lazy(
    () => new RegExp(String.raw`(?<!\\)"(?:${origins.map(patternOf).join('|')})([/?#][^"\\]*|)"(?!:)`, 'gi'),
  )
  const isStrict = lazy(() =>
    (readAt(routes).get(collectionPath(path)) ?? []).some((route) => {
      const model = answerMediaOf(route)?.media.model
      return model !== undefined && hasUrlFormat(model)
    }),
  )
  const hosts = origins.map((origin) => origin.replace(/^https?:/i, ''))
  const isOf = (text: string): boolean => hosts.some((host) => text.includes(host))
  const lead = (text: string, address: string): string => {
    const isAnswered = answersOf(routes)
    return text.replace(expression(), (whole, rest: string) =>
      isAnswered(rest) ? `"${address}${rest}"` : whole,
    )
  }
  return {
    leadBack(content, call, model) {
      const { data } = content
      if (typeof data !== 'string') return content
      const kept = content instanceof KeptContent ? content : undefined
      const may = kept?.mayLead ?? (isOf(data) && !hasUrlFormat(model) && !isStrict())
      if (kept !== undefined) kept.mayLead = may
      if (!may) return content
      const { scheme, host, prefix } = call
      const address = urlOfCall({ scheme, host, path: '', ...(prefix !== undefined && { prefix }) })
      if (kept?.led?.address === address) return kept.led.content
      const led = { ...content, data: lead(data, address) }
      if (kept !== undefined) kept.led = { address, content: led }
      return led
    },
  }
}

// Some write the port that a scheme has anyway, and some the other scheme.
function patternOf(origin: string): string {
  const [, host = ''] = /^https?:\/\/([^:]+)$/i.exec(origin) ?? []
  return host === ''
    ? literalPattern(origin)
    : `(?:https://${literalPattern(host)}(?::443)?|http://${literalPattern(host)}(?::80)?)`
}

const hasUrlFormat = remembered(
  (model: object) => JSON.stringify(model).includes('"format":"url"'),
  new WeakMap<object, boolean>(),
)

const readAt = remembered(
  (routes: readonly RouteDefinition[]) =>
    groupBy(
      routes.filter(({ method }) => method === 'GET'),
      ({ path }) => collectionPath(path),
    ),
  new WeakMap(),
)

// RFC 6570: what a URL leaves open need not be there, or stands for one segment.
const OPEN = /\{([/?&#.;+]?)[^{}]*\}/g

const answersOf = remembered((routes: readonly RouteDefinition[]) => {
  const read = routes.filter(({ method }) => method === 'GET')
  const own = new Set(read.map(({ path }) => path))
  // Below the other servers of the description are the same operations.
  const others = read.flatMap((route) => {
    const { basePath = '', otherBasePaths = [] } = route.operation ?? {}
    return otherBasePaths
      .map((base) => base + route.path.slice(basePath.length))
      .filter((path) => !own.has(path) && own.add(path))
      .map((path) => ({ ...route, path }))
  })
  const router = createRouter([...read, ...others])
  const isAnswered = (form: string): boolean => {
    const end = form.search(/[?#]/)
    const path = end < 0 ? form : form.slice(0, end)
    return router.allowed({ path: path === '' ? '/' : path }).length > 0
  }
  // Answers of one route have the same few URLs again and again.
  const known = createMemo<boolean>()
  return (rest: string): boolean => {
    const before = known.get(rest)
    if (before !== undefined) return before
    const found = rest.includes('{')
      ? isAnswered(rest.replaceAll(OPEN, '')) ||
        isAnswered(
          rest.replaceAll(OPEN, (_, kind: string) =>
            kind === '/' ? '/x' : kind === '' || kind === '+' ? 'x' : '',
          ),
        )
      : isAnswered(rest)
    known.set(rest, found)
    return found
  }
}, new WeakMap())
