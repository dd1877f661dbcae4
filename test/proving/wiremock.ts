import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { startServer } from './server.ts'

/** WireMock, as another that records and replays. */
export interface WireMock {
  readonly url: string
  record(upstream: string): Promise<void>
  stopRecording(): Promise<void>
  /** Has its scenarios begin anew. */
  rewind(): Promise<void>
  reset(): Promise<void>
  stop(): Promise<void>
}

export async function startWireMock(directory: string): Promise<WireMock> {
  const folder = dirname(createRequire(import.meta.url).resolve('wiremock/package.json'))
  const jar = join(folder, 'build/wiremock-standalone-3.13.2.jar')
  const { url, stop } = await startServer(
    'java',
    (port) =>
      `-Xmx512m -jar ${jar} --port ${port} --root-dir ${directory} --bind-address 127.0.0.1 --preserve-host-header --disable-banner`.split(
        ' ',
      ),
    { isUp: async (base) => (await fetch(`${base}/__admin/health`)).ok },
  )
  const call = async (method: string, path: string, body?: object): Promise<void> => {
    const response = await fetch(`${url}/__admin${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`WireMock: ${method} ${path}: ${await response.text()}`)
  }
  return {
    url,
    stop,
    record: (targetBaseUrl) => call('POST', '/recordings/start', { targetBaseUrl }),
    async stopRecording() {
      await call('POST', '/recordings/stop')
      await call('POST', '/scenarios/reset')
    },
    rewind: () => call('POST', '/scenarios/reset'),
    async reset() {
      await call('POST', '/reset')
      await call('DELETE', '/mappings')
    },
  }
}
