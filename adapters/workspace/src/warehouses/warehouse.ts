import type { Sequenced } from 'sim-gateway/adapter'
import type { WarehouseSettings } from './settings.ts'

/** Where a warehouse stands. One that is deleted is gone. */
export type WarehouseStateName = 'STARTING' | 'RUNNING' | 'STOPPING' | 'STOPPED' | 'DELETING'

/** Why a warehouse cannot start, as a fixture declares it. */
export interface StartFailure {
  readonly summary: string
  readonly details?: string
  readonly reason?: {
    readonly code: string
    readonly type?: string
    readonly parameters?: Readonly<Record<string, string>>
  }
  /** How many starts fail before one succeeds. Default: all. */
  readonly times?: number
}

/** A SQL warehouse. */
export interface Warehouse extends Sequenced {
  readonly id: string
  readonly creatorName: string
  settings: WarehouseSettings
  state: WarehouseStateName
  readonly startFailure?: StartFailure
  failedStarts: number
  /** Whether the last start failed. */
  isBroken: boolean
}

/** A warehouse as answered. Clients read `health.summary`, so `health` is always there. */
export function describeWarehouse(warehouse: Warehouse, host: string): object {
  const { id, settings, creatorName, state } = warehouse
  const { name, ...rest } = settings
  const path = `/sql/1.0/warehouses/${id}`
  return {
    id,
    name,
    ...rest,
    creator_name: creatorName,
    state,
    num_clusters: state === 'RUNNING' ? settings.min_num_clusters : 0,
    num_active_sessions: 0,
    jdbc_url: `jdbc:spark://${host}:443/default;transportMode=http;ssl=1;AuthMech=3;httpPath=${path};`,
    odbc_params: { hostname: host, path, protocol: 'https', port: 443 },
    health: healthOf(warehouse),
  }
}

function healthOf({ isBroken, startFailure }: Warehouse): object {
  if (!isBroken || startFailure === undefined) return { status: 'HEALTHY' }
  const { summary, details, reason } = startFailure
  return {
    status: 'FAILED',
    summary,
    message: summary,
    ...(details !== undefined && { details }),
    ...(reason && { failure_reason: reason }),
  }
}
