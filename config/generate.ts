import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { withOptions, type FileSchema } from '../src/options/json-schema.ts'
import { withFolders } from './architecture.ts'
import { REFERENCE_PAGES, withReference } from './reference.ts'

// Writes what is made from the sources, and checked in so that it can be read: npm run generate.
const file = resolve(import.meta.dirname, 'sim.schema.json')
const schema = withOptions(JSON.parse(readFileSync(file, 'utf8')) as FileSchema)
writeFileSync(file, await format(JSON.stringify(schema), { ...(await resolveConfig(file)), filepath: file }))

const docs = resolve(import.meta.dirname, '../docs')
const page = resolve(docs, 'architecture.md')
writeFileSync(page, withFolders(readFileSync(page, 'utf8')))
for (const name of REFERENCE_PAGES)
  writeFileSync(resolve(docs, name), await withReference(readFileSync(resolve(docs, name), 'utf8')))
