import { Server, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { OptionInvalid } from '../errors.ts'

/** An Express app, or anything else that takes middleware below a path. */
export interface MiddlewareParent {
  use(prefix: string, listener: RequestListener): unknown
}

/** What an app can be mounted into. */
export type Parent = FastifyInstance | MiddlewareParent | Server

/** An app in the two forms that parents take. */
export interface Mountable {
  readonly plugin: (app: FastifyInstance) => Promise<void>
  readonly app: () => FastifyInstance
}

/**
 * Serves an app below a path of another server.
 * @throws OptionInvalid when the parent is none that an app can be mounted into
 */
export async function mount(parent: Parent, prefix: string, mountable: Mountable): Promise<void> {
  if (!prefix.startsWith('/'))
    throw new OptionInvalid(`mountInto: the prefix must start with '/', not '${prefix}'`)
  const below = prefix.replace(/(?<!\/)\/+$/, '')
  if (isFastify(parent)) {
    await parent.register(mountable.plugin, { prefix: below })
    return
  }
  const app = mountable.app()
  await app.ready()
  const answer: RequestListener = (request, response) => app.routing(request, response)
  if (parent instanceof Server) mountIntoServer(parent, below, answer)
  else if (typeof parent.use === 'function') parent.use(below === '' ? '/' : below, answer)
  else throw new OptionInvalid('mountInto takes a Fastify app, an Express app or a Node http server')
}

function isFastify(parent: Parent): parent is FastifyInstance {
  return 'register' in parent && 'inject' in parent
}

// The server's own listeners keep every request that is not below the prefix.
function mountIntoServer(server: Server, prefix: string, answer: RequestListener): void {
  const others = server.listeners('request') as RequestListener[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { url = '/' } = request
    const rest = url.startsWith(prefix) ? url.slice(prefix.length) : undefined
    if (rest !== undefined && /^($|[/?])/.test(rest)) {
      request.url = rest.startsWith('/') ? rest : `/${rest}`
      return answer(request, response)
    }
    if (others.length === 0) return void response.writeHead(404).end()
    for (const listener of others) listener(request, response)
  })
}
