import {
  GraphQLError,
  Kind,
  type DocumentNode,
  type FragmentDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

/** What an operation may be like, however it is written. */
export const MAX_TOKENS = 15_000
export const MAX_DEPTH = 30
export const MAX_SELECTED = 2_000
export const MAX_ALIASES = 500

/**
 * Counts the fields of a document with its fragments written in place, before anything else looks at it.
 * @returns what is too much of it; `undefined` where nothing is
 */
export function findExcess(document: DocumentNode): GraphQLError | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const each of document.definitions)
    if (each.kind === Kind.FRAGMENT_DEFINITION) fragments.set(each.name.value, each)
  let [fields, aliases, deepest] = [0, 0, 0]
  const isOver = (): boolean => fields > MAX_SELECTED || aliases > MAX_ALIASES || deepest > MAX_DEPTH
  const walk = ({ selections }: SelectionSetNode, depth: number, within: ReadonlySet<string>): void => {
    deepest = Math.max(deepest, depth)
    for (const each of selections) {
      if (isOver()) return
      if (each.kind === Kind.FIELD) {
        fields++
        if (each.alias !== undefined) aliases++
        if (each.selectionSet !== undefined) walk(each.selectionSet, depth + 1, within)
      } else if (each.kind === Kind.INLINE_FRAGMENT) {
        fields++
        walk(each.selectionSet, depth, within)
      } else {
        const { value } = each.name
        const fragment = fragments.get(value)
        fields++
        // Circles are refused by the rules of the language.
        if (fragment !== undefined && !within.has(value))
          walk(fragment.selectionSet, depth, new Set([...within, value]))
      }
    }
  }
  for (const each of document.definitions)
    if ('selectionSet' in each && each.kind === Kind.OPERATION_DEFINITION)
      walk(each.selectionSet, 1, new Set())
  if (deepest > MAX_DEPTH) return new GraphQLError(`The operation is more than ${MAX_DEPTH} levels deep`)
  if (aliases > MAX_ALIASES) return new GraphQLError(`The operation has more than ${MAX_ALIASES} aliases`)
  return fields > MAX_SELECTED
    ? new GraphQLError(`The operation has more than ${MAX_SELECTED} fields`)
    : undefined
}
