import { hashText } from '../random.ts'
import type { Compiler } from './compiler.ts'
import type { Generate } from './generate.ts'
import { schemasOf } from './keywords.ts'
import { VERIFY } from './merge.ts'
import { typesOf, type Schema, type SchemaOrBoolean } from './schema.ts'

// Keywords that no kind builds into its values, or not in all combinations.
const TESTED = new Set([
  ...[
    'not',
    'if',
    'oneOf',
    'contains',
    'propertyNames',
    'dependentRequired',
    'dependentSchemas',
    'dependencies',
  ],
  ...['unevaluatedProperties', 'unevaluatedItems'],
])
const MOST_ATTEMPTS = 50
const RETRY = hashText('another attempt')

/** Meets hard keywords by trying: values are generated without them until one fits; the first when none does. */
export function meetByTrying(folded: Schema, generate: Generate, { fold, checker }: Compiler): Generate {
  const asked = (folded[VERIFY] ?? folded) as Schema
  const isHard = (keyword: string): boolean =>
    TESTED.has(keyword) && !(keyword === 'oneOf' && areApart(schemasOf(folded, 'oneOf'), fold))
  if (asked === folded && !Object.keys(folded).some(isHard)) return generate

  return (stream, scope) => {
    const first = generate(stream, scope)
    if (checker.fits(first, asked)) return first
    for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
      const value = generate(stream.child(RETRY + attempt), scope)
      if (checker.fits(value, asked)) return value
    }
    return first
  }
}

// Members of different types never fit together.
function areApart(members: readonly SchemaOrBoolean[] | undefined, fold: Compiler['fold']): boolean {
  const types = (members ?? []).flatMap((member) => {
    const folded = fold(member)
    const own = typeof folded === 'boolean' ? [] : typesOf(folded)
    return own.length === 0 ? ['any'] : own.map((type) => (type === 'integer' ? 'number' : type))
  })
  return !types.includes('any') && new Set(types).size === types.length
}
