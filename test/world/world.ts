import { groupBy } from '../../src/grouping.ts'
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { startSim } from '../flow/sim-process.ts'
import type { Json } from '../corpus/json.ts'
import { createIsPossible } from '../corpus/fault-of.ts'
import { operationsOf } from '../corpus/operations.ts'
import { createRequests } from '../corpus/request.ts'
import { createSchemas } from '../corpus/schemas.ts'
import { createClient } from './client.ts'
import { collectionsOf } from './collections.ts'
import { elsewhereOf } from './elsewhere.ts'
import { examplesOf } from './examples.ts'
import { drawsOf, type Walkable } from './place.ts'
import { walk, type Finding } from './walk.ts'

/** What a description's walks found. */
export interface Walked {
  readonly collections: number
  readonly checks: number
  readonly findings: readonly Finding[]
}

export function readDescription(file: string): Json {
  const text = readFileSync(file, 'utf8')
  return (file.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: -1, merge: true })) as Json
}

/** The part of a world that its description says. */
export function worldOf(document: Json): Pick<Walkable, 'collections' | 'requestOf'> {
  const operations = operationsOf(document)
  const requestOf = createRequests(createSchemas(document, 'request'))
  // What no answer can be right for cannot be walked through.
  const isPossible = createIsPossible(document)
  return {
    collections: collectionsOf(document, operations)
      .filter(({ list, item }) => isPossible(list) && isPossible(item))
      .map((each) => ({
        ...each,
        examples: examplesOf(document, each),
        elsewhere: elsewhereOf(document, operations, each),
      })),
    requestOf: (operation) => requestOf(operation, 'required'),
  }
}

/** Walks through a description that is served, first by reading alone, then by writing as well. */
export async function walkDescription(
  file: string,
  { steps, seed }: { readonly steps: number; readonly seed: number },
): Promise<Walked> {
  const world = worldOf(readDescription(file))
  const findings: Finding[] = []
  let checks = 0
  for (const writes of [false, true]) {
    const sim = await startSim(['run', file, '--seed', String(seed), ...(writes ? ['--stateful'] : [])])
    const client = createClient(sim.url)
    try {
      const walked = await walk({ ...world, client, writes }, steps, drawsOf(seed))
      findings.push(...walked.findings)
      checks += walked.checks
    } finally {
      await client.close()
      await sim.stop()
    }
  }
  return { collections: world.collections.length, checks, findings }
}

/** What was found, by rule, the most frequent first. */
export function report(findings: readonly Finding[], shown: number): string {
  const groups = [...groupBy(findings, ({ rule }) => rule)].toSorted(([, a], [, b]) => b.length - a.length)
  return groups
    .map(([rule, all]) => {
      const examples = all
        .slice(0, shown)
        .map(({ at, what, requests }) => `  ${at}: ${what}\n    ${requests.join('\n    ')}`)
      return `${all.length} times ${rule}\n${examples.join('\n')}\n`
    })
    .join('')
}
