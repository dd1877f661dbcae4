import { createRequire } from 'node:module'
import type * as Sdk from '@databricks/sdk-experimental'
import type { AdapterContext } from 'sim-gateway/adapter'
import type { AdapterFixtures } from 'sim-gateway/adapter/testing'
import type { TestAPI } from 'vitest'
import type { WorkspaceMockConfig, WorkspaceState } from '../src/index.ts'
import { createWorkspaceTest } from '../src/testing.ts'

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

/** A `test` whose fixtures are a context that listens, as at first, and the real client of it. */
export const clientTest = (
  config?: WorkspaceMockConfig,
): TestAPI<AdapterFixtures<WorkspaceState> & { readonly client: Sdk.WorkspaceClient }> =>
  createWorkspaceTest(config).extend<{ readonly client: Sdk.WorkspaceClient }>({
    client: async ({ mock }, use) => use(clientOf(mock)),
  })

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

/** What `failureOf` gives of a refusal. */
export const refusal = (statusCode: number, errorCode: string, message: string): object => ({
  errorCode,
  statusCode,
  message,
})

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
