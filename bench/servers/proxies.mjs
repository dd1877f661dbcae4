// The products that forwarding is compared with, each set up as its manual says: proxies.mjs NAME TARGET TIMEOUT-MS
import httpProxyPlugin from '@fastify/http-proxy'
import Fastify from 'fastify'
import httpProxy from 'http-proxy'
import { createProxyServer as createProxyServer3 } from 'http-proxy-3'
import { createProxyServer as createHttpxy } from 'httpxy'
import { Agent, createServer, ServerResponse } from 'node:http'

const [product, target, timeout] = process.argv.slice(2)
const proxyTimeout = Number(timeout)

// Their manuals leave errors to whoever uses them; what the error says is passed on as far as it goes.
const answerError = (error, response) => {
  if (!(response instanceof ServerResponse)) return response?.destroy()
  if (response.headersSent) return response.destroy()
  const isLate = /timeout|ETIMEDOUT/i.test(`${error.code} ${error.name} ${error.message}`)
  response.writeHead(isLate ? 504 : 502, { 'content-type': 'text/plain' })
  return response.end(String(error.code ?? error.name))
}

const serve = (proxy, options = {}) => {
  proxy.on('error', (error, _request, response) => answerError(error, response))
  const server = createServer((request, response) => {
    Promise.resolve(proxy.web(request, response, options)).catch((error) => answerError(error, response))
  })
  server.on('upgrade', (request, socket, head) => {
    Promise.resolve(proxy.ws(request, socket, options, head)).catch(() => socket.destroy())
  })
  server.listen(0, '127.0.0.1', () => say(`http://127.0.0.1:${server.address().port}`))
}

const say = (url) => process.stdout.write(`listening on ${url}\n`)
const options = { target, proxyTimeout, agent: new Agent({ keepAlive: true }) }

const PRODUCTS = {
  'http-proxy': () => serve(httpProxy.createProxyServer(options)),
  'http-proxy-3': () => serve(createProxyServer3(options)),
  httpxy: () => serve(createHttpxy(options)),
  async '@fastify/http-proxy'() {
    const app = Fastify()
    app.register(httpProxyPlugin, {
      upstream: target,
      websocket: true,
      undici: { headersTimeout: proxyTimeout },
    })
    say(await app.listen({ port: 0, host: '127.0.0.1' }))
  },
}

await PRODUCTS[product]()
