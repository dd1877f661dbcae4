import { Agent, createServer } from 'node:http'
import httpProxy from 'http-proxy'

const [target] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const proxy = httpProxy.createProxyServer({ target, agent })
const server = createServer((request, response) => proxy.web(request, response))
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`),
)
