import { afterEach } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'
import { SimAPI } from '../../../src/index.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import type { Sample } from '../../../src/recording/inference/sample.ts'
import { odata } from '../../../src/recording/protocols/odata/odata.ts'
import { sample } from '../inference/samples.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

export type Recorded = readonly [
  request: string,
  answer: Parameters<typeof sample>[2] & { readonly answered?: Record<string, string> },
  headers?: Record<string, string>,
]

function samplesOf(recorded: readonly Recorded[]): Sample[] {
  return recorded.map(([request, { answered = {}, ...answer }, headers], index) => {
    const [method = '', path = ''] = request.split(/ (.*)/s)
    return {
      ...sample(index, `${method} /svc/${path.replaceAll(' ', '%20')}`, answer, headers),
      responseHeaders: { 'odata-version': '4.0', 'content-type': 'application/json', ...answered },
    }
  })
}

/** Sends requests to a gateway that answers by what exchanges show. */
export function clientOf(recorded: readonly Recorded[]) {
  const calls = inferCalls(samplesOf(recorded), odata)
  if (calls === undefined) throw new Error('Nothing was inferred')
  const api = new SimAPI({ seed: 1 })
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const)
    api.route(method, '/svc/{path*}', { calls, nearest: 'failures' })
  const app = createGateway({ engine: api.engine() })
  closing.push(() => app.close())
  return async (request: string, payload?: object | string, headers: Record<string, string> = {}) => {
    const [method = 'GET', path = ''] = request.split(/ (.*)/s)
    const url = `/svc/${path.replaceAll(' ', '%20')}`
    const response = await app.inject({
      method: method as 'GET',
      ...{ url, headers, ...(payload !== undefined && { payload }) },
    })
    const body: unknown = /^[{[]/.test(response.body) ? response.json() : response.body
    return { status: response.statusCode, headers: response.headers, body }
  }
}
