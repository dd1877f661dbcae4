import type { Headers } from '../../message.ts'
import type { SeenAt } from './mount.ts'

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
