import { STATUS_CODES } from 'node:http'
import { textOf } from '../../engine/schema/keywords.ts'
import { fileStatuses } from '../../collections/files/file-answers.ts'
import type { FileOptions } from '../../engine/file-option.ts'
import { essenceOf } from '../../media-type.ts'
import type { Components } from './components.ts'
import { JSON_TYPE, type Header, type MediaType, type Response } from './document.ts'
import type { SchemaOrBoolean } from '../../engine/schema/schema.ts'
import { failuresOf, isLimited, QUOTA_HEADERS, type FailureContext, type Reason } from './failures.ts'
import { plain, type Hide } from './plain.ts'
import { createScope } from './scope.ts'

/** What the responses of an operation are found from. */
export interface ResponseContext extends FailureContext {
  readonly components: Components
  /** A sampled success answer. */
  readonly example: unknown
  readonly hide: Hide
}

/** The responses of an operation by status: the success first, then every error it may answer with. */
export function responsesOf(context: ResponseContext): Record<string, Response> {
  const { file } = context.route.options
  const success = file === undefined ? [successOf(context)] : fileReasons(file, context)
  const reasons = [...success, ...failuresOf(context)]
  return joinResponses(reasons.map((reason) => documented(reason, context)))
}

function successOf({ route, store, example }: ResponseContext): Reason {
  const { output, status, headers = {} } = route.options
  const isEmpty = output === undefined || store?.does === 'remove'
  const usual = isEmpty && route.method === 'DELETE' ? 204 : 200
  return {
    status: status ?? usual,
    description: STATUS_CODES[status ?? usual] ?? 'Success',
    headers: { ...headersOf(headers), ...(isLimited(route) && QUOTA_HEADERS) },
    ...(!isEmpty && { body: output, example, type: typeIn(headers) ?? textOf(output, 'contentMediaType') }),
  }
}

// Bodies of files are any bytes, and those of other answers are as they are written.
function fileReasons(file: FileOptions, { route }: ResponseContext): Reason[] {
  return fileStatuses(file, route.options).map((status) => ({
    status,
    description: STATUS_CODES[status] ?? 'Success',
    ...(file.action === 'get' && status === 200 && { body: true, type: '*/*' }),
  }))
}

function typeIn(headers: Readonly<Record<string, string>>): string | undefined {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  return type === undefined ? undefined : essenceOf(type)
}

// OpenAPI gives the content type by the content itself, and ignores a header of that name.
function headersOf(headers: Readonly<Record<string, string>>): Record<string, Header> {
  const declared = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-type')
  return Object.fromEntries(
    declared.map(([name, value]) => [
      name,
      // A name in braces stands for what each answer has.
      { schema: { type: 'string' }, ...(!/\{[\w.-]+\}/.test(value) && { example: value }) },
    ]),
  )
}

/** A reason with its body as the document has it, and without secrets in its examples. */
function documented(reason: Reason, { components, hide }: ResponseContext): Reason {
  const { headers = {}, body, example, ...others } = reason
  const shown = Object.entries(headers).map(([name, header]): [string, Header] => [
    name,
    { ...header, ...(header.example !== undefined && { example: hide(header.example) }) },
  ])
  return {
    ...others,
    headers: Object.fromEntries(shown),
    ...(body !== undefined && {
      body: typeof body === 'boolean' ? body : components.use(body, createScope(body)),
    }),
    ...(example !== undefined && { example: hide(plain(example)) }),
  }
}

/** The responses of an operation by status, each saying all its reasons. */
export function joinResponses(reasons: readonly Reason[]): Record<string, Response> {
  const statuses = new Set(reasons.map(({ status }) => status))
  const join = (status: number): Response =>
    joinReasons(
      status,
      reasons.filter((each) => each.status === status),
    )
  return Object.fromEntries([...statuses].map((status) => [String(status), join(status)]))
}

// RFC 9110, sections 6.4.1 and 15.3.6.
function hasContent(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304
}

function joinReasons(status: number, reasons: readonly Reason[]): Response {
  const headers = Object.assign({}, ...reasons.map((reason) => reason.headers)) as Record<string, Header>
  const withBody = hasContent(status) ? reasons.filter(({ body }) => body !== undefined) : []
  return {
    description: [...new Set(reasons.map(({ description }) => description))].join('; '),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(withBody.length > 0 && { content: contentOf(withBody) }),
  }
}

function contentOf(reasons: readonly Reason[]): Record<string, MediaType> {
  const types = new Set(reasons.map(({ type = JSON_TYPE }) => type))
  const ofType = (type: string): Reason[] => reasons.filter((each) => (each.type ?? JSON_TYPE) === type)
  return Object.fromEntries([...types].map((type) => [type, joinBodies(ofType(type))]))
}

function joinBodies(reasons: readonly Reason[]): MediaType {
  const schemas = distinct(reasons.map(({ body }) => body as SchemaOrBoolean))
  const [only = true, ...others] = schemas
  const joined = others.length > 0 ? { anyOf: schemas } : only
  const shown = reasons.filter(({ example }) => example !== undefined)
  return {
    // Readers of documents take an object for what may be anything, too.
    schema: joined === true ? {} : joined,
    ...(distinct(shown.map(({ example }) => example)).length > 1
      ? { examples: name(shown) }
      : showOne(shown)),
  }
}

function showOne([first]: readonly Reason[]): MediaType {
  return first === undefined ? {} : { example: first.example }
}

function name(reasons: readonly Reason[]): NonNullable<MediaType['examples']> {
  const named = new Map<string, { summary: string; value: unknown }>()
  for (const { description, example } of reasons) {
    if ([...named.values()].some(({ value }) => JSON.stringify(value) === JSON.stringify(example))) continue
    const base = description.toLowerCase().replace(/[^a-z\d]+/g, '_')
    const again = [...named.keys()].filter((key) => key === base || key.startsWith(`${base}_`)).length
    named.set(again === 0 ? base : `${base}_${again + 1}`, { summary: description, value: example })
  }
  return Object.fromEntries(named)
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()]
}
