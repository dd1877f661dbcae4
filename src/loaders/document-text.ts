import { stringify } from 'yaml'
import { jsonText } from './export-fixtures.ts'

/** The formats a document can be written in. */
export const DOCUMENT_FORMATS = ['json', 'yaml'] as const
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

/** A document as a file's text. YAML repeats what comes twice, and reads the same by versions 1.1 and 1.2. */
export function documentText(document: unknown, format: DocumentFormat): string {
  return format === 'json'
    ? jsonText(document)
    : stringify(document, { aliasDuplicateObjects: false, lineWidth: 0, compat: 'yaml-1.1' })
}
