// Prints how many files and functions of a build one request runs: node request-path.mjs <dist/src/index.js>
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const index = pathToFileURL(process.argv[2]).href
const own = dirname(dirname(index))
const { createGateway, FromInput, SimAPI } = await import(index)
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

const take = async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ran = result
    .filter(({ url }) => url.startsWith(own))
    .map(({ url, functions }) => ({
      url,
      count: functions.filter(
        ({ functionName, ranges: [{ count, startOffset }] }) =>
          count > 0 && (functionName !== '' || startOffset > 0),
      ).length,
    }))
    .filter(({ count }) => count > 0)
  return { files: ran.length, functions: ran.reduce((sum, { count }) => sum + count, 0) }
}
const ask = (url, method, body) =>
  new Promise((resolve, reject) => {
    const headers = { accept: '*/*', ...(body !== undefined && { 'content-type': 'application/json' }) }
    const sent = request(url, { method, headers }, (response) => response.resume().on('end', resolve))
    sent.on('error', reject).end(body)
  })
// What is left of a request once its client has the response is its own, too.
const settled = () => new Promise((resolve) => setTimeout(resolve, 200))

const measure = async (options, method = 'GET', body) => {
  const gateway = createGateway(options)
  const url = `${await gateway.listen({ port: 0 })}/users/7`
  for (let count = 0; count < 6; count++) await ask(url, method, body)
  await settled()
  await take()
  const all = []
  // Some is done once in a while, such as to look where the gateway listens.
  for (let count = 0; count < 3; count++) {
    await ask(url, method, body)
    await settled()
    all.push(await take())
  }
  await gateway.close()
  return all.toSorted((a, b) => a.files - b.files || a.functions - b.functions)[0]
}

const output = {
  type: 'object',
  properties: { id: { type: 'string', ...FromInput('id') }, name: { type: 'string' } },
  required: ['id', 'name'],
}
const routes = new SimAPI({ seed: 1 }).get('/users/{id}', { output })
const answer = (_request, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
const upstream = createServer(answer).listen(0, '127.0.0.1')
await new Promise((resolve) => upstream.once('listening', resolve))
const generated = await measure({ ...routes.gatewayOptions(), answerCacheBytes: 1_000_000 })
const to = { upstream: `http://127.0.0.1:${upstream.address().port}` }
const forwarded = await measure(to)
const record = mkdtempSync(join(tmpdir(), 'sim-path-'))
const recorded = await measure({ ...to, record }, 'POST', '{"name":"Ada"}')
rmSync(record, { recursive: true })
process.stdout.write(JSON.stringify({ generated, forwarded, recorded }))
upstream.close()
upstream.closeAllConnections()
