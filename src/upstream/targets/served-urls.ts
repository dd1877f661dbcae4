import { clientUrls, type ClientUrls, type ServedUrl } from '../../http/client-urls.ts'
import type { SeenAt } from '../../http/headers.ts'
import { createMemo } from '../../memo.ts'

/** The URLs of upstreams as the client of a request sees them. */
export interface ServedUrls {
  /** @param own where the request goes */
  seenBy(seen: SeenAt, own: ServedUrl): ClientUrls | undefined
  /** The same for a recorded answer. @param origin the recorded server, @param own where the request would go */
  recorded(seen: SeenAt, origin: string, own: ServedUrl | undefined): ClientUrls | undefined
}

/** @param served those that the gateway has, by its rules, in the order in which these are tried */
export function createServedUrls(served: readonly ServedUrl[]): ServedUrls {
  const byOrigin = createMemo<ServedUrl>()
  return {
    seenBy: (seen, own) => clientUrls(own, served, seen),
    recorded(seen, origin, { url, ...place } = { url: origin, at: '' }) {
      if (origin === '') return undefined
      const path = new URL(url).pathname.replace(/\/$/, '')
      const key = `${origin}${path} ${place.at} ${place.host ?? ''}`
      const own = byOrigin.get(key) ?? { ...place, url: `${origin}${path}` }
      byOrigin.set(key, own)
      return clientUrls(own, served, seen)
    },
  }
}
