import type { Pager } from '../../collections/paging/page.ts'
import { createPager } from '../../collections/paging/pager.ts'
import { createValidator, type ValidateAnswer } from '../../engine/answer-validator.ts'
import type { Output } from '../../engine/generate-output.ts'
import type { Input } from '../../engine/input.ts'
import type { ResponseRule, Example, MediaType } from '../../engine/operation.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { holdsLink } from '../../engine/schema/linked.ts'
import { fitsNothing } from '../../engine/schema/measures.ts'
import { isObject, type Schema, createResolver, typesOf } from '../../engine/schema/schema.ts'
import { ExampleNotDeclared } from '../../errors.ts'
import type { HttpRequest } from '../../message.ts'
import type { HandlerOptions } from '../../simulation/route-handler.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Negotiated } from './choose-media-type.ts'
import type { OpenApiRoute } from './choose-response.ts'
import { shownMedia } from './shown-media.ts'
import { createBodyWriter, type BodyWriter } from './body-writer.ts'
import { createGeneratedBody, listIn, listOf, type Generated } from './generated-body.ts'
import type { OwnUrls } from './own-urls.ts'

/** What bodies in one media type of one response are made from. */
export interface ResponseForm extends BodyWriter {
  readonly type: string
  /** The description's model, or what the media type itself asks for. */
  readonly model: Schema
  readonly examples: Examples
  /** Pages of the list that the answer is or holds; `undefined` where it does not, or has no pages. */
  readonly pager: Pager | undefined
  /**
   * A body, the headers that go with it, and what it does not have in full.
   * @param isDynamic whether what the description says of values is passed over; as the app says, by default
   * @param isSent whether it is sent as it is, so that items need no more than their JSON
   */
  generate(call: HttpRequest, input: Input, isDynamic?: boolean, isSent?: boolean): Generated
  /**
   * An example as the answer to a call, or the page of its list that the call asks for. An example of a list whose
   * further pages a `Link` header names is its first page, unless it is requested by name.
   */
  show(example: unknown, call: HttpRequest, input: Input, isNamed: boolean): Generated
  readonly validate: ValidateAnswer | undefined
  /**
   * Writes the JSON of the body of a request without preferences, unmade; absent where that is an example, a page, not
   * JSON, or has to be validated.
   */
  readonly writeUsual: Output['writeText']
}

/** The form of a response in one media type, compiled when it is first needed. */
export function createResponseForm(
  route: OpenApiRoute,
  rule: ResponseRule,
  { type, media: described }: Negotiated,
  options: HandlerOptions,
  urls: OwnUrls,
): ResponseForm {
  const isJson = mediaKindOf(type) === 'json'
  const media = isJson ? shownMedia(described) : described
  const model = media.model ?? (isJson ? { type: 'object' } : { type: 'string' })
  const examples = createExamples(type, media, route.key)
  const { usual } = examples
  const pager =
    route.method === 'GET' && media.model !== undefined
      ? createPager(route.operation, rule, model, route.path, { example: usual?.value })
      : undefined
  const validate =
    options.validateResponses && described.model !== undefined
      ? createValidator(route, described.model)
      : undefined
  const mayBeWritten = isJson && validate === undefined && options.observer === undefined
  const generated = createGeneratedBody(route, pager, model, options)

  const isGenerated = options.dynamic || usual === undefined
  const writer = createBodyWriter({ type, model, urls, list: pager?.shape })
  for (const kept of [usual?.value, ...(listIn(usual?.value, pager?.shape.path ?? []) ?? [])])
    if (typeof kept === 'object' && kept !== null) writer.keep(kept)

  return {
    ...writer,
    type,
    model,
    examples,
    pager,
    generate: (call, input, isDynamic = options.dynamic, isSent = false) =>
      generated.generate(call, input, isDynamic, isSent && mayBeWritten),
    show(example, call, input, isNamed) {
      const items = pager && listIn(example, pager.shape.path)
      if (pager === undefined || items === undefined) return { body: example, headers: {} }
      const chosen = isNamed ? undefined : generated.chosen(call, input, items)
      if (!pager.isPaged && chosen === undefined) return { body: example, headers: {} }
      if (!isNamed && pager.hasLink && pager.shape.path.length === 0) {
        const page = generated.continued(call, input, items, mayBeWritten)
        if (page !== undefined) return page
      }
      const listed = { ...(chosen ?? listOf(items)), usualSize: Math.max(items.length, pager.usualSize) }
      const page = pager.page(call, input, listed, isObject(example) ? example : {})
      // Who asks for no other page gets what the description shows, to the letter.
      return chosen === undefined && pager.isFirst(call, input) ? { ...page, body: example } : page
    },
    validate,
    writeUsual: isJson && isGenerated && validate === undefined ? generated.writeUsual : undefined,
  }
}

/** The examples of one form of a body, as answers use them. */
export interface Examples {
  /**
   * The first that fits the model, or that is where nothing at all fits it; `undefined` where none does, and where the
   * model has links to follow.
   */
  readonly usual: Example | undefined
  /** Those that fit. */
  readonly fitting: readonly Example[]
  /** @throws ExampleNotDeclared naming the examples there are */
  named(name: string): Example
}

/** Reads the examples of one form of a body. Each is checked once. */
export function createExamples(type: string, media: MediaType, route: string): Examples {
  const { model, examples } = media
  const follows = examples.length > 0 && model !== undefined && holdsLink(model, createResolver(model))
  const fitting = readExamples(type, media)

  const first = (): Example | undefined =>
    model !== undefined && fitsNothing(model) ? examples[0] : undefined

  return {
    fitting: fitting.filter((each) => each !== undefined),
    usual: follows || examples.length === 0 ? undefined : (fitting.find(Boolean) ?? first()),
    named(name) {
      const index = examples.findIndex((example) => example.name === name)
      const example = fitting[index] ?? examples[index]
      if (example !== undefined) return example
      throw new ExampleNotDeclared(
        route,
        name,
        examples.map((each) => each.name),
      )
    },
  }
}

// Apart from what is kept, so that the validator, which is large, is not kept with it.
function readExamples(type: string, { model, examples }: MediaType): (Example | undefined)[] {
  const isText = mediaKindOf(type) !== 'json'
  const checker = model === undefined ? undefined : createChecker(model)
  const fits = (value: unknown): boolean => checker?.fits(value) ?? true
  const mayBeText = model !== undefined && typesOf(model).includes('string')
  return examples.map((example) => {
    const { name, value } = example
    // An example of a document is often written as its text.
    const parsed = typeof value === 'string' ? parsedJson(value) : undefined
    const isDocument = !isText && typeof parsed === 'object' && parsed !== null && !mayBeText
    if (isDocument && fits(parsed)) return { name, value: parsed }
    if (fits(value) || (isText && typeof value === 'string')) return example
    return parsed !== undefined && fits(parsed) ? { name, value: parsed } : undefined
  })
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
