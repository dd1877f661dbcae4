import { linesInJson } from '../../data-files/json.ts'
import { linesInYaml } from '../../data-files/yaml.ts'
import type { Source } from './node.ts'

/** The lines of places in a file's text, counted from 1: of each its key's, or that of the nearest place above. */
export function linesOf({ format, text }: Source, paths: readonly (readonly string[])[]): readonly number[] {
  return format === 'json' ? linesInJson(text, paths) : linesInYaml(text, paths)
}
