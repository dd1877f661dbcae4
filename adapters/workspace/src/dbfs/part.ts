import { checkEntries, fileEntryProperties, type FileEntry } from '../files/entry.ts'
import { fileStorageSchema } from '../files/contents.ts'
import type { Part } from '../part.ts'
import { DbfsState } from './state.ts'

/** DBFS: the fixture's `dbfs` and `fileStorage`, and the state made from them. */
export const dbfsPart: Part<DbfsState> = {
  fixtureSchema: {
    dbfs: {
      type: 'array',
      items: { type: 'object', required: ['path'], properties: fileEntryProperties },
    },
    fileStorage: fileStorageSchema,
  },
  check: (fixture, report) => checkEntries((fixture['dbfs'] ?? []) as readonly FileEntry[], 'dbfs', report),
  create: (fixture, tools) => DbfsState.fromFixture(fixture, tools),
}
