import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSim } from '../flow/sim-process.ts'
import { DESCRIPTIONS, fileOf } from './descriptions.ts'
import type { Json } from './json.ts'
import { operationsOf, type Operation } from './operations.ts'
import { readDocument } from './read-document.ts'
import { differencesOf } from './same-meaning.ts'
import { createSchemas } from './schemas.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sim-corpus-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.for(DESCRIPTIONS)('$name means the same once it is exported', async (description) => {
  const file = join(folder, 'exported.json')
  const { code, stderr } = await runSim(['export', 'openapi', fileOf(description), '--output', file])
  expect([code, stderr]).toEqual([0, expect.anything()])

  const [given, exported] = [readDocument(description), JSON.parse(readFileSync(file, 'utf8')) as Json]
  const [operations, others] = [byAddress(given), byAddress(exported)]
  expect([...others.keys()].toSorted()).toEqual([...operations.keys()].toSorted())
  const [schemas, otherSchemas] = [createSchemas(given, 'meaning'), createSchemas(exported, 'meaning')]
  const differences = [...operations].flatMap(([address, operation]) => {
    const other = others.get(address) as Operation
    const found = differencesOf({ operation, schemas }, { operation: other, schemas: otherSchemas })
    return found.length === 0 ? [] : [[address, found] as const]
  })
  expect(Object.fromEntries(differences)).toEqual({})
})

function byAddress(document: Json): Map<string, Operation> {
  return new Map(
    operationsOf(document).map((operation) => [`${operation.method} ${operation.path}`, operation]),
  )
}
