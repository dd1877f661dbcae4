import type { Problem } from '../../data-files/data-file.ts'
import { readJson } from '../../data-files/json.ts'
import { MAX_VALUES } from '../../data-files/limits.ts'
import { readYaml } from '../../data-files/yaml.ts'

/** The content of a file, or what keeps it from being read. */
export interface ReadText {
  readonly format: 'json' | 'yaml'
  /** `undefined` for a text that cannot be read. */
  readonly value: unknown
  /** In the order of the file. A text with a value can be served in spite of them. */
  readonly problems: readonly Problem[]
}

/** Reads JSON or YAML, within bounds. A text that begins with a brace is JSON, as far as it is JSON. */
export function readText(text: string, file: string): ReadText {
  const json = /^\s*[[{]/.test(text) ? readJson(text, { allowsTwice: true }) : undefined
  // A flow mapping of YAML begins with a brace too.
  if (json !== undefined && (json.value !== undefined || file.endsWith('.json')))
    return { format: 'json', value: json.value, problems: json.problems }
  const { value, problems } = readYaml(text, { maxValues: MAX_VALUES })
  return { format: 'yaml', value, problems: value === undefined ? problems.slice(0, 1) : problems }
}
