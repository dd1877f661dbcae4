import { textOf } from '../../engine/schema/keywords.ts'
import { propertiesOf, type Schema, typesOf } from '../../engine/schema/schema.ts'
import type { Fold } from '../../engine/schema/merge.ts'
import { plainName } from './page-parameters.ts'

const BEFORE = ['totalnumberof', 'numberof', 'totalof', 'total', 'number', 'num']
const AFTER = ['totalcount', 'count', 'total']

/** The names of the lists of an envelope, in lower case and without signs. */
export function listsIn(envelope: Schema, fold: Fold): readonly string[] {
  return propertiesOf(envelope).flatMap(([name, part]) => {
    const schema = fold(part)
    return typeof schema === 'object' && typesOf(schema).includes('array') ? [plainName(name)] : []
  })
}

/**
 * Whether a number is called as what counts a list, as `articlesCount` beside `articles`, `total_users` or `numItems`, or
 * its description says so.
 */
export function countsList(name: string, schema: Schema, lists: readonly string[]): boolean {
  if (!typesOf(schema).some((type) => type === 'integer' || type === 'number')) return false
  if (isSaidTotal(schema)) return true
  const plain = plainName(name)
  const rests = [
    ...BEFORE.flatMap((word) => (plain.startsWith(word) ? [plain.slice(word.length)] : [])),
    ...AFTER.flatMap((word) => (plain.endsWith(word) ? [plain.slice(0, -word.length)] : [])),
  ]
  return rests.some((rest) => lists.includes(rest) || lists.includes(`${rest}s`))
}

// Of what is called neither, as `sum: 12`, its description may say so.
function isSaidTotal(schema: Schema): boolean {
  const said = textOf(schema, 'description') ?? ''
  return (
    typesOf(schema).includes('integer') && /^(the )?total (number|count|sum) of (?!.*\bpages?\b)/i.test(said)
  )
}
