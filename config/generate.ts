import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { withOptions, type FileSchema } from '../src/options/json-schema.ts'

// Writes what follows from the tables of options: npm run generate.
const file = resolve(import.meta.dirname, 'sim.schema.json')
const schema = withOptions(JSON.parse(readFileSync(file, 'utf8')) as FileSchema)
writeFileSync(file, await format(JSON.stringify(schema), { ...(await resolveConfig(file)), filepath: file }))
