import type { ReportProblem } from 'sim-gateway/adapter'
import type { WorkspaceFixture } from '../part.ts'
import { settingsProperties, type WarehouseSettings } from './settings.ts'
import type { StartFailure } from './warehouse.ts'

/** A warehouse of a fixture. */
export interface FixtureWarehouse extends Partial<WarehouseSettings> {
  readonly id?: string
  readonly name: string
  readonly state?: 'STARTING' | 'RUNNING' | 'STOPPED'
  readonly creator_name?: string
  readonly startFailure?: StartFailure
}

/** JSON Schema of the fixture's `warehouses`. */
export const warehousesSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: {
      ...settingsProperties,
      id: { type: 'string', minLength: 1, description: 'Unique. Default: made from the seed.' },
      state: { enum: ['STARTING', 'RUNNING', 'STOPPED'], description: 'Default: STOPPED.' },
      creator_name: { type: 'string', description: 'Default: the default user.' },
      startFailure: {
        type: 'object',
        required: ['summary'],
        description: 'Makes its starts fail.',
        properties: {
          summary: { type: 'string' },
          details: { type: 'string' },
          reason: {
            type: 'object',
            required: ['code'],
            properties: {
              code: { type: 'string' },
              type: { enum: ['SUCCESS', 'CLIENT_ERROR', 'CLOUD_FAILURE', 'SERVICE_FAULT'] },
              parameters: { type: 'object', additionalProperties: { type: 'string' } },
            },
          },
          times: { type: 'integer', minimum: 1, description: 'How many starts fail. Default: all.' },
        },
      },
    },
  },
}

/** The warehouses of a fixture. */
export function fixtureWarehouses(fixture: WorkspaceFixture): readonly FixtureWarehouse[] {
  return (fixture['warehouses'] ?? []) as readonly FixtureWarehouse[]
}

/** Reports warehouses that share a name or id, and settings that cannot be. */
export function checkWarehouses(fixture: WorkspaceFixture, report: ReportProblem): void {
  const [names, ids] = [new Set<string>(), new Set<string>()]
  for (const [index, warehouse] of fixtureWarehouses(fixture).entries()) {
    const {
      id,
      name,
      min_num_clusters: least = 1,
      max_num_clusters: most = least,
      auto_stop_mins: stop = 0,
    } = warehouse
    if (names.has(name)) report(['warehouses', index, 'name'], `must not be declared twice: ${name}`)
    if (id !== undefined && ids.has(id))
      report(['warehouses', index, 'id'], `must not be declared twice: ${id}`)
    if (most < least)
      report(['warehouses', index, 'max_num_clusters'], `must be at least min_num_clusters, ${least}`)
    if (stop > 0 && stop < 10) report(['warehouses', index, 'auto_stop_mins'], 'must be 0 or at least 10')
    names.add(name)
    if (id !== undefined) ids.add(id)
  }
}
