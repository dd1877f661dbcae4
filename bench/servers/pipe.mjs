import { Agent, createServer, request as send } from 'node:http'
import { pipeline } from 'node:stream'

const [target] = process.argv.slice(2)
const { hostname, port } = new URL(target)
const agent = new Agent({ keepAlive: true })
const ignore = () => undefined
const server = createServer((request, response) => {
  const { method, url: path, headers } = request
  const sent = send({ hostname, port, method, path, headers, agent }, (answer) => {
    response.writeHead(answer.statusCode, answer.rawHeaders)
    pipeline(answer, response, ignore)
  })
  pipeline(request, sent, ignore)
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`),
)
