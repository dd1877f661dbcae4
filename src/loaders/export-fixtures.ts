import { join } from 'node:path'
import type { SimAPI } from '../api.ts'
import { describeApi } from './describe-api.ts'
import { fixtureNames } from './fixture-names.ts'
import { sampleRoutes, type AnsweredSample, type UnansweredSample } from './sampling/sample-routes.ts'
import { writeFileWhole } from './write-file.ts'

/**
 * Writes a sampled answer of each route, and the OpenAPI document last.
 * @returns the routes that gave no answer, and so have no file
 * @throws FileNotWritten
 */
export async function exportFixtures(api: SimAPI, directory: string): Promise<readonly UnansweredSample[]> {
  const names = fixtureNames(api.routes)
  const samples = await sampleRoutes(api)
  for (const sample of samples) {
    if (sample.kind !== 'answered') continue
    writeFileWhole(join(directory, names.get(sample.route.key) ?? ''), jsonText(contentOf(sample)))
  }
  writeFileWhole(join(directory, 'openapi.json'), jsonText(describeApi(api)))
  return samples.filter((sample) => sample.kind !== 'answered')
}

/** A value as a JSON file's text. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

// An answer without a body is known by its status.
function contentOf({ status, body }: AnsweredSample): unknown {
  return body === undefined ? { status } : body
}
