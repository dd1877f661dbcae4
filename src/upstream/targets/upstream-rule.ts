import type { HttpRequest } from '../../message.ts'
import { hostOfCall, readHostPattern, type NamedHost } from '../../routing/host.ts'
import { OptionInvalid } from '../../errors.ts'
import { pairsOf } from '../../http/headers.ts'
import { changeHeaders, type HeaderChanges } from './header-changes.ts'
import { createRewrite, type Rewrite } from './rewrite.ts'
import type { Target } from './targets.ts'

/** A server, and the requests that go to it. */
export interface UpstreamRule {
  /** Its base URL; the path of it comes before all others. */
  readonly url: string
  /** The hosts whose requests it takes, such as `api.example.com` or `*.example.com`; without it, any. */
  readonly host?: string | undefined
  /** The paths that it takes: this one, and all below it. */
  readonly path?: string | undefined
  /** Whether that prefix is left out of the path that is asked for. */
  readonly stripPath?: boolean | undefined
  /** How paths change on the way, without the prefix if that is stripped; the first that fits counts. */
  readonly rewrite?: readonly Rewrite[] | undefined
  readonly requestHeaders?: HeaderChanges | undefined
  readonly responseHeaders?: HeaderChanges | undefined
}

/** A rule that was read. */
export interface CompiledRule {
  /** Orders rules that take the same request: the higher one says more. */
  readonly weight: number
  /** Where the upstream is. */
  readonly server: NamedHost
  /** The target of a call that the rule takes. */
  targetOf(call: HttpRequest, isProxied: boolean): Target | undefined
}

/** @throws OptionInvalid for a URL, host, path, rewrite or header that cannot be */
export function compileRule(rule: UpstreamRule): CompiledRule {
  const { url, path = '/', stripPath = false, requestHeaders = {}, responseHeaders = {} } = rule
  const base = readBaseUrl(url)
  const basePath = base.pathname.replace(/\/$/, '')
  const host = rule.host === undefined ? undefined : readHostPattern(rule.host)
  if (rule.host !== undefined && host === undefined)
    throw new OptionInvalid(
      `upstreams: host must be like api.example.com or *.example.com, not '${rule.host}'`,
    )
  if (!path.startsWith('/')) throw new OptionInvalid(`upstreams: path must start with '/', not '${path}'`)
  const prefix = path.replace(/\/+$/, '')
  const rewrite = createRewrite(rule.rewrite ?? [])
  for (const changes of [requestHeaders, responseHeaders]) checkHeaders(changes)

  const takes = (call: HttpRequest, isProxied: boolean): boolean => {
    if (call.path !== prefix && !call.path.startsWith(`${prefix}/`)) return false
    // A client of a proxy names the server itself: only a rule that names it too may send it elsewhere.
    if (host === undefined) return !isProxied
    const called = hostOfCall(call)
    return called !== undefined && host.matches(called)
  }
  const server = hostOfCall({ host: base.host, scheme: base.protocol === 'https:' ? 'https' : 'http' })
  if (server === undefined) throw new OptionInvalid(`The upstream must be a URL with a host, not '${url}'`)
  return {
    server,
    weight: (host?.weight ?? 0) * 10_000 + prefix.length,
    targetOf(call, isProxied) {
      if (!takes(call, isProxied)) return undefined
      const stripped = stripPath ? call.path.slice(prefix.length) || '/' : call.path
      const search = call.search === '' ? '' : `?${call.search}`
      return {
        origin: base.origin,
        url: `${basePath}${rewrite(stripped)}${search}`,
        requestHeaders,
        responseHeaders,
        lookup: undefined,
      }
    },
  }
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new OptionInvalid(`The upstream must be a URL such as http://127.0.0.1:3000, not '${text}'`)
  }
  return url
}

// RFC 9110, section 5.1 and 5.5: a value that ends its line would begin another header.
function checkHeaders(changes: HeaderChanges): void {
  for (const [name, value] of [
    ...pairsOf(changeHeaders([], changes)),
    ...(changes.remove ?? []).map((each) => [each, '']),
  ]) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name ?? ''))
      throw new OptionInvalid(`upstreams: '${name}' is no header name`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value ?? ''))
      throw new OptionInvalid(
        `upstreams: the value of header ${name} holds a character that headers cannot have`,
      )
  }
}
