import { hash } from 'node:crypto'
import { addTo } from '../../grouping.ts'
import { contentKindOf } from '../../media-type.ts'
import type { Content, Exchange, PostData } from '../exchange.ts'
import { toInline } from '../exchange.ts'
import { POSTMAN_SCHEMA, toCurl, toEntry, toPostmanItem } from './export.ts'

/** The formats that a recording is exported to. */
export const EXPORT_FORMATS = ['har', 'curl', 'postman', 'wiremock'] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** What is exported. */
export interface ExportSource {
  readonly name: string
  /** Of this program. */
  readonly version: string
  /** Reads the exchanges, as often as it is called. */
  readonly read: () => AsyncIterable<Exchange>
  /** Reads a body, wherever it is; undefined where it was left out. */
  readonly bodyOf: (body: Content | PostData) => Promise<Buffer | undefined>
}

/**
 * A recording as another program reads it, piece by piece: a HAR 1.2 document, a shell script of curl commands, a
 * Postman collection, which Insomnia reads too, or a file of WireMock mappings for its folder `mappings`.
 */
export function exportText(format: ExportFormat, source: ExportSource): AsyncGenerator<string> {
  return WRITERS[format](source)
}

type Write = (source: ExportSource) => AsyncGenerator<string>

const WRITERS: Readonly<Record<ExportFormat, Write>> = {
  har: ({ version, read, bodyOf }) =>
    listText(
      `{"log":{"version":"1.2","creator":{"name":"sim-gateway","version":${JSON.stringify(version)}},"entries":[`,
      eachOf(read(), (exchange) => toEntry(exchange, bodyOf)),
      ']}}\n',
    ),
  async *curl({ name, read, bodyOf }) {
    yield `#!/bin/sh\n# ${name.replaceAll(/\s+/g, ' ')}: secrets are pseudonyms, which have to be filled in.\nset -e\n`
    for await (const exchange of read()) {
      if (isWebSocket(exchange)) continue
      const { postData } = exchange.request
      const body = postData && (await bodyOf(postData))
      yield `${toCurl(exchange, body?.toString())}\n`
    }
  },
  postman: ({ name, read, bodyOf }) =>
    listText(
      `{"info":${JSON.stringify({ name, schema: POSTMAN_SCHEMA })},"item":[`,
      eachOf(read(), async (exchange) => {
        const { postData } = exchange.request
        const requestBody = postData && (await bodyOf(postData))?.toString()
        const responseBody = (await bodyOf(exchange.response.content))?.toString()
        return toPostmanItem({ exchange, requestBody, responseBody })
      }),
      ']}\n',
    ),
  async *wiremock({ read, bodyOf }) {
    const counts = new Map<string, number>()
    for await (const exchange of read()) addTo(counts, keyOf(exchange))
    const numbers = new Map<string, number>()
    yield* listText(
      '{"mappings":[',
      eachOf(read(), async (exchange) => {
        const key = keyOf(exchange)
        addTo(numbers, key)
        return toMapping(exchange, bodyOf, key, numbers.get(key) ?? 1, counts.get(key) ?? 1)
      }),
      ']}\n',
    )
  },
}

async function* eachOf(
  exchanges: AsyncIterable<Exchange>,
  map: (exchange: Exchange) => Promise<unknown>,
): AsyncGenerator {
  for await (const exchange of exchanges) yield map(exchange)
}

async function* listText(start: string, items: AsyncIterable<unknown>, end: string): AsyncGenerator<string> {
  yield start
  let separator = '\n'
  for await (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ',\n'
  }
  yield `\n${end}`
}

function isWebSocket({ response }: Exchange): boolean {
  return response.status === 101
}

function keyOf({ request: { method, url, postData } }: Exchange): string {
  return hash('sha256', JSON.stringify([method, url, postData?.text ?? postData?._sha256]), 'base64')
}

const NOT_STUBBED = /^(content-length|content-encoding|transfer-encoding|connection|keep-alive|date)$/i

// Requests that come several times are a scenario, whose last answer stays.
async function toMapping(
  { request, response }: Exchange,
  bodyOf: ExportSource['bodyOf'],
  key: string,
  number: number,
  count: number,
): Promise<unknown> {
  const { pathname, search } = new URL(request.url)
  const { postData } = request
  const sent = postData && (await bodyOf(postData))
  const body = await bodyOf(response.content)
  const inline = body && body.length > 0 ? toInline(body) : undefined
  return {
    name: `${request.method} ${pathname}`,
    request: {
      method: request.method,
      url: pathname + search,
      ...(sent && { bodyPatterns: [patternOf(sent, postData.mimeType)] }),
    },
    response: {
      status: response.status,
      headers: headersOf(response.headers.filter(({ name }) => !NOT_STUBBED.test(name))),
      ...(inline && (inline.isBase64 ? { base64Body: inline.text } : { body: inline.text })),
    },
    ...(count > 1 && {
      scenarioName: key,
      requiredScenarioState: number === 1 ? 'Started' : String(number),
      ...(number < count && { newScenarioState: String(number + 1) }),
    }),
  }
}

function headersOf(headers: Exchange['response']['headers']): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {}
  for (const { name, value } of headers)
    values[name] = values[name] === undefined ? value : [values[name], value].flat()
  return values
}

function patternOf(body: Buffer, mimeType: string): unknown {
  const { text, isBase64 } = toInline(body)
  if (isBase64) return { binaryEqualTo: text }
  return contentKindOf(mimeType) === 'json' ? { equalToJson: text } : { equalTo: text }
}
