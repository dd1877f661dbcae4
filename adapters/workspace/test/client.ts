import { createRequire } from 'node:module'
import type * as Sdk from '@databricks/sdk-experimental'
import type { AdapterContext } from 'sim-gateway/adapter'

// The SDK is CommonJS whose names Node cannot see from ESM.
const { Config, WorkspaceClient } = createRequire(import.meta.url)(
  '@databricks/sdk-experimental',
) as typeof Sdk

/** The real client, asking a context that listens. */
export function clientOf(
  mock: Pick<AdapterContext<unknown>, 'baseUrl' | 'token'>,
  token: string = mock.token,
): Sdk.WorkspaceClient {
  return new WorkspaceClient(new Config({ host: mock.baseUrl, token }))
}

/** What the real client says of a call that fails. */
export async function failureOf(call: Promise<unknown>): Promise<object> {
  try {
    await call
  } catch (error) {
    const { errorCode, statusCode, message } = error as {
      readonly errorCode: string
      readonly statusCode: number
      readonly message: string
    }
    return { errorCode, statusCode, message }
  }
  throw new Error('the call did not fail')
}

/** All that an iterator of the real client gives. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

/** Asks without a client, as a body of JSON where one is given. */
export async function ask(
  mock: Pick<AdapterContext<unknown>, 'fetch'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly body: never; readonly text: string }> {
  const response = await mock.fetch(path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, body: (isJson ? JSON.parse(text) : undefined) as never, text }
}
