import type { FileEntry } from '../files/entry.ts'
import { fileEntryProperties } from '../files/entry.ts'
import { LANGUAGES, type Language } from './language.ts'

/** An object of a fixture's workspace. */
export interface FixtureObject extends FileEntry {
  /** Makes it a notebook. */
  readonly language?: Language
  readonly type?: 'REPO' | 'LIBRARY' | 'DASHBOARD'
}

/** JSON Schema of the fixture's `workspaceFiles`. */
export const workspaceFilesSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['path'],
    properties: {
      ...fileEntryProperties,
      language: { enum: Object.keys(LANGUAGES), description: 'Makes it a notebook.' },
      type: { enum: ['REPO', 'LIBRARY', 'DASHBOARD'], description: 'Makes it something else than a file.' },
    },
  },
}
