// Prints how many files and functions of a build one request runs: node request-path.mjs <dist/src/index.js>
import { createServer, request } from 'node:http'
import { Session } from 'node:inspector/promises'
import { dirname } from 'node:path'
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
const get = (url) =>
  new Promise((resolve, reject) => {
    const sent = request(url, (response) => response.resume().on('end', resolve))
    sent.on('error', reject).end()
  })
// What is left of a request once its client has the response is its own, too.
const settled = () => new Promise((resolve) => setTimeout(resolve, 200))

const measure = async (options) => {
  const gateway = createGateway(options)
  const url = `${await gateway.listen({ port: 0 })}/users/7`
  for (let count = 0; count < 6; count++) await get(url)
  await settled()
  await take()
  await get(url)
  await settled()
  const ran = await take()
  await gateway.close()
  return ran
}

const output = {
  type: 'object',
  properties: { id: { type: 'string', ...FromInput('id') }, name: { type: 'string' } },
  required: ['id', 'name'],
}
const routes = new SimAPI({ seed: 1 }).get('/users/{id}', { output })
const upstream = createServer((_request, response) => response.end('{"ok":true}')).listen(0, '127.0.0.1')
await new Promise((resolve) => upstream.once('listening', resolve))
const generated = await measure({ ...routes.gatewayOptions(), answerCacheBytes: 1_000_000 })
const forwarded = await measure({ upstream: `http://127.0.0.1:${upstream.address().port}` })
process.stdout.write(JSON.stringify({ generated, forwarded }))
upstream.close()
upstream.closeAllConnections()
