import type { Visit } from 'sim-gateway/adapter'

type Headed = Pick<Visit<unknown>, 'headers'>

/**
 * What the paths of the adapter stand below for its client, e.g. `http://127.0.0.1:8766`, by the headers of the client
 * and of the proxies between: with the prefix that one of them took away.
 */
export function originOf(visit: Headed): string {
  const protocol = firstOf(visit, 'x-forwarded-proto') ?? 'http'
  const host = firstOf(visit, 'x-forwarded-host') ?? firstOf(visit, 'host') ?? 'localhost'
  const prefix = firstOf(visit, 'x-forwarded-prefix')?.replace(/\/+$/, '') ?? ''
  return `${protocol}://${host}${prefix}`
}

/** The name of the host that the client reached, without a port. */
export function hostOf(visit: Headed): string {
  const origin = originOf(visit)
  return URL.canParse(origin) ? new URL(origin).hostname : 'localhost'
}

function firstOf({ headers }: Headed, name: string): string | undefined {
  const value = headers[name]
  const text = typeof value === 'string' ? value : value?.[0]
  const first = text?.split(',')[0]?.trim()
  return first === '' ? undefined : first
}
