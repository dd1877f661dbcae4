import type { Content, Exchange, NameValue, PostData } from '../files/exchange.ts'
import { hide } from './pseudonymize.ts'
import { isBase64 } from '../files/inline-body.ts'

// Long, and with letters and digits: what is shorter may be a word that is no secret elsewhere.
const TOKEN_LIKE = /^(?=.*\d)(?=.*[A-Za-z])[\w.~+/=:-]{16,}$/

// Each is looked for in all that was said.
const MOST_SECRETS = 100

/** Hides secrets that an exchange says again where nothing tells that they are, such as in an echo of its headers. */
export function withoutEchoes(exchange: Exchange, hidden: ReadonlySet<string>): Exchange {
  if (hidden.size === 0) return exchange
  const secrets = [...hidden]
    .filter((value) => TOKEN_LIKE.test(value))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_SECRETS)
  if (secrets.length === 0) return exchange
  const clean = (text: string): string =>
    secrets.reduce(
      (left, secret) => (left.includes(secret) ? left.replaceAll(secret, hide(secret)) : left),
      text,
    )
  const cleanAll = <Pair extends NameValue>(pairs: readonly Pair[]): Pair[] =>
    pairs.map((pair) => ({ ...pair, value: clean(pair.value) }))
  const cleanBody = <Body extends Content | PostData>(body: Body): Body =>
    body.text === undefined || isBase64(body) ? body : { ...body, text: clean(body.text) }
  const { request, response, _webSocketMessages: messages } = exchange
  const { postData } = request
  const { _trailers: trailers } = response
  return {
    ...exchange,
    request: {
      ...request,
      url: clean(request.url),
      headers: cleanAll(request.headers),
      queryString: cleanAll(request.queryString),
      ...(postData && { postData: cleanBody(postData) }),
    },
    response: {
      ...response,
      headers: cleanAll(response.headers),
      redirectURL: clean(response.redirectURL),
      content: cleanBody(response.content),
      ...(trailers && { _trailers: cleanAll(trailers) }),
    },
    ...(messages && {
      _webSocketMessages: messages.map((each) =>
        each.opcode === 1 ? { ...each, data: clean(each.data) } : each,
      ),
    }),
  }
}
