import type { ReportProblem } from 'sim-gateway/adapter'
import type { Body } from '../fields.ts'
import type { Tools, WorkspaceFixture } from '../part.ts'
import { refusalOf } from '../refusal.ts'
import { LibrariesState, type LibraryFailure } from './libraries-state.ts'
import { readLibraries } from './library.ts'

/** The libraries' share of a fixture. */
export interface LibrariesFixture {
  readonly libraries?: readonly { readonly cluster_id: string; readonly libraries: readonly Body[] }[]
  readonly libraryFailures?: readonly LibraryFailure[]
}

/** JSON Schema of the libraries' share of a fixture. */
export const librariesFixtureSchema = {
  libraries: {
    type: 'array',
    items: {
      type: 'object',
      required: ['cluster_id', 'libraries'],
      properties: {
        cluster_id: { type: 'string' },
        libraries: { type: 'array', items: { type: 'object', minProperties: 1, maxProperties: 1 } },
      },
    },
  },
  libraryFailures: {
    type: 'array',
    items: {
      type: 'object',
      required: ['library', 'message'],
      properties: {
        library: { type: 'string' },
        message: { type: 'string' },
        times: { type: 'integer', minimum: 1 },
      },
    },
  },
} as const

/** Reports libraries of clusters that the fixture does not have. */
export function checkLibraries(fixture: WorkspaceFixture, report: ReportProblem): void {
  const clusters = (fixture['clusters'] as readonly { cluster_id?: string }[] | undefined) ?? []
  const ids = new Set(clusters.map(({ cluster_id }) => cluster_id))
  for (const [index, { cluster_id: id, libraries }] of (
    (fixture as LibrariesFixture).libraries ?? []
  ).entries()) {
    if (!ids.has(id)) report(['libraries', index, 'cluster_id'], `there is no cluster '${id}'`)
    const problem = libraries.length === 0 ? undefined : refusalOf(() => readLibraries({ libraries }))
    if (problem !== undefined) report(['libraries', index, 'libraries'], problem)
  }
}

/** The state of libraries; to be filled when there are clusters. */
export function createLibraries(fixture: WorkspaceFixture, tools: Tools): LibrariesState {
  const { libraries = [], libraryFailures = [] } = fixture as LibrariesFixture
  const state = new LibrariesState(tools, libraryFailures)
  for (const { cluster_id: id, libraries: given } of libraries) state.install(id, structuredClone(given))
  return state
}
