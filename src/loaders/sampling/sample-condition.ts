import { readPointer } from '../../engine/schema/pointer.ts'
import { isObject, setEntry, type Entries } from '../../engine/schema/schema.ts'
import { mediaKindOf } from '../../media-type.ts'
import { valueAt, type CompiledCondition } from '../../routing/condition.ts'
import { normalizeSelection } from '../../routing/selection.ts'
import type { SampleRequest } from './sample-request.ts'

const ANY = 'any'

/** A request that is as the conditions of its route want it. */
export function withConditions(
  request: SampleRequest,
  when: readonly CompiledCondition[] = [],
): SampleRequest {
  return when.reduce(withCondition, request)
}

function withCondition(request: SampleRequest, condition: CompiledCondition): SampleRequest {
  const { place, name, equals = ANY } = condition
  const text = String(equals)
  const [, search = ''] = request.url.split('?')
  const known = valueAt(place, name, { headers: request.headers, search })
  if (known !== undefined && (condition.equals === undefined || known === text)) return request
  const withHeader = (header: string, value: string): SampleRequest => ({
    ...request,
    headers: { ...request.headers, [header]: value },
  })
  switch (place) {
    case 'header':
      return withHeader(name, text)
    case 'contentType':
      return withHeader('content-type', text)
    case 'accept':
      return withHeader('accept', text)
    case 'query':
      return { ...request, url: withField(request.url, name, text) }
    case 'form':
      return withFormField(request, name, text)
    case 'pointer':
      return withJson(request, (body) => withMember(body, readPointer(name), equals))
    case 'selection':
      // It has one operation, which needs no name.
      return withJson(request, (body) => {
        const { operationName: _name, query, ...members } = isObject(body) ? body : {}
        const isSelected = typeof query === 'string' && normalizeSelection(query) === text
        return { ...members, query: isSelected ? query : text }
      })
    default:
      return { ...withHeader('content-type', 'application/xml'), payload: elementText(name, text) }
  }
}

function withField(url: string, name: string, value: string): string {
  const pair = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
  return `${url}${url.includes('?') ? '&' : '?'}${pair}`
}

// What reads a form takes the field from the query as well.
function withFormField(request: SampleRequest, name: string, value: string): SampleRequest {
  const { headers, payload = '' } = request
  const isForm = mediaKindOf(headers['content-type'] ?? '') === 'form'
  if (!isForm && payload !== '') return { ...request, url: withField(request.url, name, value) }
  const fields = new URLSearchParams(payload)
  fields.set(name, value)
  return {
    ...request,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: fields.toString(),
  }
}

function withJson(request: SampleRequest, change: (body: unknown) => unknown): SampleRequest {
  const { headers, payload } = request
  const body: unknown = payload === undefined ? undefined : JSON.parse(payload)
  return {
    ...request,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(change(body)),
  }
}

function withMember(value: unknown, [key, ...rest]: readonly string[], wanted: unknown): unknown {
  if (key === undefined) return wanted
  const copy: Entries = isObject(value) ? { ...value } : {}
  setEntry(copy, key, withMember(copy[key], rest, wanted))
  return copy
}

function elementText(path: string, name: string): string {
  const names = path.split('/').slice(1)
  const all = names.map((each) => (each === '*' ? name : each))
  return all.toReversed().reduce((inner, each) => `<${each}>${inner}</${each}>`, '')
}
