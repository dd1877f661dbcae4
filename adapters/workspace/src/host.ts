import type { Operation, OperationContext } from 'sim-gateway/adapter'
import type { WorkspaceMockConfig } from './part.ts'

type Headed = Pick<OperationContext<unknown>, 'headers'>

/**
 * What the paths of the adapter stand below for its client, e.g. `http://127.0.0.1:8766`, by the headers of the client
 * and of the proxies between: with the prefix that one of them took away.
 */
export function originOf(context: Headed): string {
  const protocol = firstOf(context, 'x-forwarded-proto') ?? 'http'
  const host = firstOf(context, 'x-forwarded-host') ?? firstOf(context, 'host') ?? 'localhost'
  const prefix = firstOf(context, 'x-forwarded-prefix')?.replace(/(?<!\/)\/+$/, '') ?? ''
  return `${protocol}://${host}${prefix}`
}

/** The name of the host that the client reached, without a port. */
export function hostOf(context: Headed): string {
  const origin = originOf(context)
  return URL.canParse(origin) ? new URL(origin).hostname : 'localhost'
}

function firstOf({ headers }: Headed, name: string): string | undefined {
  const value = headers[name]
  const text = typeof value === 'string' ? value : value?.[0]
  const first = text?.split(',')[0]?.trim()
  return first === '' ? undefined : first
}

/** Where clients look first, without credentials. */
export const HOST_METADATA_PATH = '/.well-known/databricks-config'

/** What a workspace says of itself to clients that come for the first time. */
export const hostMetadata: Operation<
  { readonly workspaceId: number; readonly cloud: string },
  WorkspaceMockConfig
> = {
  id: 'host.metadata',
  method: 'GET',
  path: HOST_METADATA_PATH,
  support: 'exact',
  family: 'Host metadata',
  version: '1',
  documentation: 'https://docs.databricks.com/api/workspace/introduction',
  tests: ['test/python-replay.test.ts > answers the discovery request without credentials'],
  handle(context) {
    const { state } = context
    return {
      oidc_endpoint: `${originOf(context)}/oidc`,
      workspace_id: String(state.workspaceId),
      cloud: state.cloud.toUpperCase(),
    }
  },
}
