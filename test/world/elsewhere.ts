import { isDeepStrictEqual } from 'node:util'
import { follow, type Json } from '../corpus/json.ts'
import type { Operation } from '../corpus/operations.ts'
import { answerOf, listIn, type Collection, type Elsewhere, type Lookup } from './collections.ts'

/** Finds the other paths that show a collection's items, as their names alone show it. */
export function elsewhereOf(
  document: Json,
  operations: readonly Operation[],
  { path, item, idField, properties }: Collection,
): Elsewhere {
  const gets = operations.filter(({ method }) => method === 'GET')
  const isItem = (operation: Operation): boolean => {
    const own = follow(document, answerOf(operation))
    return (
      own === follow(document, answerOf(item)) || isDeepStrictEqual(own, follow(document, answerOf(item)))
    )
  }
  const lookups = path.includes('{')
    ? []
    : gets.flatMap((operation): Lookup[] => {
        const [, above = '', property = ''] = /^([^{}]*)\/\{([^{}]+)\}$/.exec(operation.path) ?? []
        const isOther = above !== path && property !== idField && property in properties
        return isOther && isItem(operation) ? [{ operation, property }] : []
      })
  const parameters = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const [parent = ''] = parameters
  const noun = path.split('/').at(-1) ?? ''
  // Below the same base path.
  const base = path.slice(0, Math.max(0, path.indexOf('/{')))
  const operation = gets.find(
    (each) => each.path === `${base.slice(0, base.lastIndexOf('/'))}/${noun}` && each.path !== path,
  )
  const found = operation && listIn(document, answerOf(operation))
  const isWhole =
    parameters.length === 1 &&
    parent !== 'id' &&
    parent in properties &&
    operation !== undefined &&
    found !== undefined &&
    isDeepStrictEqual(Object.keys(found.properties), Object.keys(properties))
  return { lookups, whole: isWhole ? { operation, field: found.field, parent } : undefined }
}
