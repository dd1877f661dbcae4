import { createServer, type Server } from 'node:http'

const PRODUCTS = [
  { id: 1, name: 'Teapot', price: 24.5 },
  { id: 2, name: 'Kettle', price: 39.9 },
]

/** The example's real server: it knows products, and nothing of users or orders. */
export function createExampleUpstream(): Server {
  return createServer((request, response) => {
    const found = request.method === 'GET' && request.url === '/products'
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found ? PRODUCTS : { error: 'the upstream does not know this path' }))
  })
}
