import { createChooser } from '../../collections/list-parameters.ts'
import { chosenFrom, createGeneratedList, unchosen } from '../../collections/paging/generated-list.ts'
import type { Listed } from '../../collections/paging/page-links.ts'
import { plainName } from '../../collections/paging/page-parameters.ts'
import type { Page, Pager } from '../../collections/paging/page.ts'
import { createOutput, cutHeaders, type Output } from '../../engine/generate-output.ts'
import type { Input } from '../../engine/input.ts'
import { lazy, remembered } from '../../engine/lazy.ts'
import { partOf } from '../../engine/list-shape.ts'
import { outputKind } from '../../engine/output.ts'
import type { RouteOptions } from '../../engine/route-options.ts'
import { kindOf } from '../../engine/schema/keywords.ts'
import { holdsLink } from '../../engine/schema/linked.ts'
import { memberAt } from '../../engine/schema/member.ts'
import { createFold } from '../../engine/schema/merge.ts'
import { createResolver, isObject, type Schema } from '../../engine/schema/schema.ts'
import type { HttpRequest } from '../../message.ts'
import type { HandlerOptions } from '../../simulation/route-handler.ts'
import { createBoundFields } from './bound-fields.ts'
import type { OpenApiRoute } from './choose-response.ts'
import { fieldModelsOf, idFieldOf, type FieldModels } from './resource/item-shape.ts'
import { singularOf } from './resource/path-words.ts'

/** A body, and what is true of it. */
export interface Generated extends Page {
  readonly cut?: string | undefined
}

/** Makes the bodies of one form of an answer that no resource has the items of. */
export interface GeneratedBody {
  /** @param isWritten whether nobody needs more of the items than their JSON */
  generate(call: HttpRequest, input: Input, isSilent: boolean, isWritten: boolean): Generated
  /** A page of the list that begins with some items; `undefined` where the answer is not a list that is generated. */
  continued(
    call: HttpRequest,
    input: Input,
    beginning: readonly unknown[],
    isWritten: boolean,
  ): Page | undefined
  /** What a request chooses from a list that there is; `undefined` where that is all of it. */
  chosen(call: HttpRequest, input: Input, items: readonly unknown[]): Listed | undefined
  /** Writes the JSON of a body unmade; absent where bodies have to be made. */
  readonly writeUsual: Output['writeText']
}

/** The maker of the bodies of a form. @param options.dynamic whether what the description says of values is passed over */
export function createGeneratedBody(
  route: OpenApiRoute,
  pager: Pager | undefined,
  model: Schema,
  options: HandlerOptions,
): GeneratedBody {
  // A list behind a reference is a list all the same.
  const listed = pager?.shape.path.length === 0 ? pager.shape.list : undefined
  const outputModel = listed === undefined ? model : partOf(model, listed)
  const formed = { ...route, options: { ...route.options, output: outputModel } }
  const isListed = pager !== undefined && !isOutputsOwn(formed, pager)
  const list = pager?.isAboutList === true ? pager : undefined
  // Links have the first word, and see the request as it is.
  const isLinked = lazy(() => holdsLink(model, createResolver(model)))
  const models = lazy(() => fieldModelsOf(list?.shape.item ?? model))
  const isOfObjects = lazy(() => kindOfModel(list?.shape.item ?? model) === 'object' && !isLinked())
  const chooser = lazy(() =>
    list !== undefined && route.method === 'GET' && isOfObjects() && !choosesItself(route.options)
      ? createChooser(route.operation, models())
      : undefined,
  )
  const bound = lazy(() => (isOfObjects() ? createBoundFields(route, models()) : undefined))
  const isSingle = outputKind(outputModel) === 'single'

  const makers = remembered((isSilent: boolean) => ({
    output: createOutput(formed, { ...options, isSilent }),
    list: isListed
      ? createGeneratedList(formed, pager, model, {
          ...{ seed: options.seed, isSilent, chooser: chooser(), observer: options.observer },
          idField: isOfObjects() ? ownIdOf(models(), route.path) : undefined,
        })
      : undefined,
  }))
  const generateWhole = (output: Output, call: HttpRequest, input: Input): Generated => {
    const given = bound()?.(input)
    const own = unchosen(input, chooser())
    const body =
      given !== undefined && list === undefined && isSingle
        ? output.generateOne(call, own, given)
        : output.generate(call, own)
    const cut = output.cut()
    const made = { body, headers: cutHeaders(cut), cut }
    const items = list && listIn(body, list.shape.path)
    if (list === undefined || items === undefined) return made
    const all =
      given === undefined ? items : items.map((item) => (isObject(item) ? { ...item, ...given } : item))
    const choice = chooser()?.choice(input, call)
    if (given === undefined && choice === undefined && !list.saysHowMany) return made
    const chosen = choice === undefined ? listOf(all) : chosenFrom(all, choice)
    const page = list.page(call, input, chosen, isObject(body) ? body : {})
    return { ...page, headers: { ...page.headers, ...made.headers }, cut }
  }
  const { output, list: usualList } = makers(options.dynamic)
  const { writeText } = output

  return {
    generate(call, input, isSilent, isWritten) {
      const own = makers(isSilent)
      return (
        own.list?.(call, input, { isWritten, given: bound()?.(input) }) ??
        generateWhole(own.output, call, input)
      )
    },
    continued: (call, input, beginning, isWritten) => usualList?.(call, input, { beginning, isWritten }),
    chosen(call, input, items) {
      const choice = chooser()?.choice(input, call)
      return choice && chosenFrom(items, choice)
    },
    writeUsual:
      usualList !== undefined || writeText === undefined || list?.saysHowMany === true
        ? undefined
        : (call, input) => {
            const isAsItIs = bound()?.(input) === undefined && chooser()?.choice(input, call) === undefined
            return isAsItIs ? writeText(call, unchosen(input, chooser())) : undefined
          },
  }
}

// What the options of a list say, its output follows; pages, and a list within an answer, are another's part.
function isOutputsOwn({ options }: { readonly options: RouteOptions<Schema> }, pager: Pager): boolean {
  const { output, listCount } = options
  const kind = outputKind(output)
  if (kind === 'single') return !pager.isPaged && (typeof listCount !== 'number' || !pager.isAboutList)
  return choosesItself(options) || typeof listCount === 'string' || !pager.isPaged
}

function choosesItself({ filterBy, seedFrom, select }: RouteOptions<Schema>): boolean {
  return filterBy !== undefined || seedFrom !== undefined || select !== undefined
}

// The field that distinguishes the items of a list, where they have no paths of their own.
function ownIdOf(models: FieldModels, path: string): string | undefined {
  const noun = path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? ''
  const singular = singularOf(noun)
  const field = idFieldOf(models, { parameter: 'id', singular, model: true })
  return ['id', 'uuid', 'guid', `${plainName(singular)}id`].includes(plainName(field ?? ''))
    ? field
    : undefined
}

function kindOfModel(model: Schema): string | undefined {
  const folded = createFold(createResolver(model))(model)
  return typeof folded === 'boolean' ? undefined : kindOf(folded)
}

/** The list within a value; `undefined` where there is none. */
export function listIn(value: unknown, path: readonly string[]): readonly unknown[] | undefined {
  const items = memberAt(value, path)
  return Array.isArray(items) ? items : undefined
}

/** A list that is all at hand. */
export function listOf(items: readonly unknown[]): Listed {
  return { total: items.length, items: (offset, limit) => items.slice(offset, offset + limit) }
}
