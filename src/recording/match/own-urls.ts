import { createUrlMap } from '../../http/url-map.ts'
import { createMemo } from '../../memo.ts'

type Naming = (text: string) => string

const named = createMemo<Naming>(100)

/**
 * A request's body as the server would know it: with the server's own URL in place of that of the gateway, by which its
 * client calls it. So a request is found again that was recorded by a gateway with another name or port.
 * @param host the `Host` of the request
 * @param origin the server's; absent where it is not known
 */
export function namingServer(bytes: Buffer, host: string | undefined, origin: string | undefined): Buffer {
  if (host === undefined || origin === undefined || !bytes.includes(host)) return bytes
  const key = `${host} ${origin}`
  let naming = named.get(key)
  if (naming === undefined) {
    naming = namingOf(host, origin)
    named.set(key, naming)
  }
  return Buffer.from(naming(bytes.toString('latin1')), 'latin1')
}

function namingOf(host: string, origin: string): Naming {
  const gateway = `http://${host}`
  if (!URL.canParse(gateway) || new URL(origin).host === new URL(gateway).host) return (text) => text
  return createUrlMap([
    { from: gateway, to: origin },
    { from: `https://${host}`, to: origin },
  ]).text
}
