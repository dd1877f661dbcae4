import { clientUrls, type ServedUrl } from '../src/http/client-urls.ts'
import { rewriteWhole } from '../src/http/rewrite-body.ts'
import { listOf, url } from '../src/pipeline/option.ts'
import type { Plugin } from '../src/pipeline/route.ts'

/** Gives clients the gateway's own URL in place of those of the server that a route stands for. */
export const serverUrls: Plugin = {
  name: 'serverUrls',
  options: {
    serverUrls: {
      ...listOf(url('https://api.example.com'), 'a list of URLs such as https://api.example.com'),
      describe: 'Base URLs of the server that is stood for: in answers, they become the gateway’s own.',
      see: 'urls.md',
      group: 'Upstreams',
      flag: {
        name: 'server-url',
        describe: 'Another base URL of the upstream, which becomes the gateway’s own in answers',
      },
    },
  },
  plan({ policies: { serverUrls: urls = [] } }) {
    const [own, ...others] = urls.map((url): ServedUrl => ({ url, at: '' }))
    if (own === undefined) return undefined
    return {
      last(exchange, response) {
        const known = exchange.isProxied ? undefined : clientUrls(own, others, exchange.seenAt())
        if (known === undefined) return response
        const rewritten = response.isStored === true ? response : rewriteWhole(response, known.map)
        return { ...rewritten, headers: known.response(rewritten.headers) }
      },
    }
  },
}
