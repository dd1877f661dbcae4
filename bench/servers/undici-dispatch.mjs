// The least that a proxy of Node has to do: node:http in front, undici's own dispatch behind, headers of one connection left out.
import { createServer } from 'node:http'
import { Pool } from 'undici'

const OF_ONE_CONNECTION = new Set(
  'connection keep-alive proxy-connection te trailer transfer-encoding upgrade host expect'.split(' '),
)
const [target] = process.argv.slice(2)
const pool = new Pool(target, { connections: 256 })

const passed = (pairs) => {
  const kept = []
  for (let at = 0; at < pairs.length; at += 2) {
    const name = pairs[at].toString('latin1')
    if (!OF_ONE_CONNECTION.has(name.toLowerCase())) kept.push(name, pairs[at + 1].toString('latin1'))
  }
  return kept
}

const server = createServer((request, response) => {
  const { method, url: path, headers, rawHeaders } = request
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  let abortUpstream
  response.on('close', () => {
    if (!response.writableFinished) abortUpstream?.()
  })
  pool.dispatch(
    { method, path, headers: passed(rawHeaders), body: hasBody ? request : null },
    {
      onConnect(abort) {
        abortUpstream = abort
      },
      onHeaders(status, rawAnswerHeaders, resume) {
        if (status < 200) return true
        response.on('drain', resume)
        response.writeHead(status, passed(rawAnswerHeaders))
        return true
      },
      onData: (chunk) => response.write(chunk),
      onComplete() {
        response.end()
      },
      onError() {
        if (response.headersSent) response.destroy()
        else response.writeHead(502).end()
      },
    },
  )
})
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`),
)
