import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createExampleUpstream } from './upstream.ts'

const PORT = process.env['PORT'] ?? '8080'
const upstream = createExampleUpstream()
await once(upstream.listen(0, '127.0.0.1'), 'listening')
const upstreamUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const options = [
  '--upstream',
  upstreamUrl,
  '--routes',
  fileOf('shop.js'),
  '--record',
  'recordings/example',
  '--port',
  PORT,
]
const gateway = spawn(process.execPath, [fileOf('../src/cli/main.js'), 'proxy', ...options], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => gateway.kill(signal))
gateway.once('exit', (code) => {
  upstream.close()
  process.exitCode = code ?? 1
})

gateway.stdout.on('data', (line: Buffer) => {
  process.stdout.write(line)
  const [url] = /http:\S+/.exec(line.toString()) ?? []
  if (url !== undefined) process.stdout.write(hints(url))
})

function hints(url: string): string {
  return `
Simulated, from the models in examples/shop.ts:
  curl '${url}/users?name=Grace'
  curl -X POST '${url}/orders' -H 'content-type: application/json' -d '{"product":"Teapot","quantity":2}'
Forwarded to the example upstream, and recorded in recordings/example:
  curl '${url}/products'
`
}
