import type { Headers } from '../message.ts'

/** Where the client of a mounted adapter sees it. */
export interface SeenAt {
  readonly scheme: string
  /** Host and, where it is not the scheme's default, port. */
  readonly host: string
  /** What the adapter does not see of its paths; `''` for nothing. */
  readonly prefix: string
}

/**
 * The headers of a request that is passed to a mounted adapter: where the client sees the adapter is told in
 * `x-forwarded-proto`, `-host` and `-prefix`, by the gateway alone. What the client says of that is left out.
 */
export function forwardedHeaders(headers: Headers, { scheme, host, prefix }: SeenAt): Headers {
  const own = Object.entries(headers).filter(([name]) => !/^(forwarded|x-forwarded-.*)$/.test(name))
  return {
    ...Object.fromEntries(own),
    'x-forwarded-proto': scheme,
    ...(host !== '' && { 'x-forwarded-host': host }),
    ...(prefix !== '' && { 'x-forwarded-prefix': prefix }),
  }
}
