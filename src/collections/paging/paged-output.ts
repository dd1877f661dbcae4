import type { HttpRequest } from '../../message.ts'
import type { Input } from '../../engine/input.ts'
import { createResolver, isObject, propertiesOf, type Schema } from '../../engine/schema/schema.ts'
import { flatten } from '../../engine/schema/merge.ts'
import type { Need } from '../../state/store.ts'
import { createGeneratedList } from './generated-list.ts'
import type { Listed } from './page-links.ts'
import type { QueryParameter } from './page-parameters.ts'
import type { Page } from './page.ts'
import { createPager } from './pager.ts'
import { compileGenerator } from '../../engine/schema/compile.ts'
import { partOf } from '../../engine/list-shape.ts'
import type { Observer } from '../../engine/observer.ts'
import { outputKind } from '../../engine/output.ts'
import { contentStream, type Seed } from '../../engine/random.ts'
import type { RouteDefinition } from '../../engine/route.ts'

/** Makes the pages of a route whose output is `Paged(model)`. */
export interface PagedOutput {
  /** A page of a list that is generated. */
  generate(call: HttpRequest, input: Input): Page
  /** Whether a request says which page it wants, or how long. */
  asks(call: HttpRequest): boolean
  /** The stored items that a page is made of. */
  need(input: Input, call: HttpRequest): Need
  /** A page of a list that there is. */
  pageOf(call: HttpRequest, input: Input, listed: Listed): Page
}

/**
 * Compiles the output of a route that answers pages; `undefined` for any other.
 * @param findIdPath gives the names that lead to the id of an item, where it is not its `id`
 */
export function createPagedOutput(
  route: RouteDefinition,
  { seed, observer }: { readonly seed: Seed; readonly observer?: Observer | undefined },
  findIdPath: () => readonly string[] | undefined = () => undefined,
): PagedOutput | undefined {
  const { output, input: inputModel, headers = {}, pageTokens } = route.options
  if (output === undefined || outputKind(output) !== 'paged') return undefined
  const declared = Object.entries(headers).map(([name, template]) => ({ name, template }))
  const idPath = findIdPath()
  const form = { ...(pageTokens && { tokens: pageTokens }), ...(idPath && { idPath }) }
  const pager = createPager({ parameters: parametersOf(inputModel) }, { headers: declared }, output, '', form)
  if (pager === undefined) return undefined
  const generate = createGeneratedList(route, pager, output, { seed, observer })
  const generateEnvelope = compileGenerator(output, { observer })
  return {
    generate: (call, input) => generate(call, input),
    asks: pager.asks,
    need: pager.need,
    pageOf(call, input, listed) {
      const stream = contentStream(seed, route.key)
      const scope = { route: route.key, input, headers: call.headers, depth: 0 }
      const envelope = pager.shape.path.length === 0 ? {} : generateEnvelope(stream, scope)
      return pager.page(call, input, listed, isObject(envelope) ? envelope : {})
    },
  }
}

function parametersOf(input: Schema | undefined): readonly QueryParameter[] {
  if (input === undefined) return []
  return propertiesOf(flatten(input, createResolver(input))).flatMap(([name, model]): QueryParameter[] =>
    isObject(model) ? [{ name, in: 'query', model: partOf(input, model) }] : [],
  )
}
