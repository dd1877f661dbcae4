// Of the connection, of the moment, of caches on the way, and of whoever traces requests.
const PASSING = [
  /^(date|age|connection|keep-alive|transfer-encoding|vary|etag|last-modified|expires|pragma|cache-control)$/,
  /^(server|server-timing|via|alt-svc|set-cookie|link|location|warning|retry-after|traceparent|x-runtime)$/,
  /^content-(length|encoding|type|language|disposition)$/,
  /^(cf-|ratelimit|x-rate-?limit|x-cache|x-amz|x-powered-by|x-served-by|x-response-time)/,
  /^(x-)?(.*-)?(request|trace|correlation)-?id$/,
]

/** Whether a header, in lower case, is one of those whose coming and going tells nothing of an API. */
export function isPassing(name: string): boolean {
  return PASSING.some((pattern) => pattern.test(name))
}
