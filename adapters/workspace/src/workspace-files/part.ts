import { checkEntries } from '../files/entry.ts'
import type { Part } from '../part.ts'
import { workspaceFilesSchema, type FixtureObject } from './fixture.ts'
import { FilesState } from './state.ts'

/** The workspace's notebooks, files and directories: the fixture's `workspaceFiles`, and the state made from them. */
export const filesPart: Part<FilesState> = {
  fixtureSchema: { workspaceFiles: workspaceFilesSchema },
  check(fixture, report) {
    const objects = (fixture['workspaceFiles'] ?? []) as readonly FixtureObject[]
    checkEntries(objects, 'workspaceFiles', report)
  },
  create: (fixture, tools) => FilesState.fromFixture(fixture, tools),
}
