import type { EntityDeed, EntityOption } from '../../engine/entity-option.ts'
import { hostOf, type RouteDefinition } from '../../engine/route.ts'
import { isObject } from '../../engine/schema/schema.ts'
import { plainPath } from '../../routing/path-template.ts'
import { isChanging, rootOf } from '../../state/changes.ts'
import { entityChange, type EntityChange } from '../../state/entities.ts'
import { addFacts, type Facts, requestFacts } from './facts.ts'

/** A request, as far as it says what it is about. */
export interface SubjectRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  /** As a JSON value, if it is one. */
  readonly body: unknown
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The answer to such a request. */
export interface SubjectAnswer {
  readonly status: number
  readonly body: unknown
  readonly location: string | undefined
  readonly etag: string | undefined
}

/** What the requests of a route are about, and what they do to that. */
export interface Subject {
  /** The path below which changes may change the answers. */
  readonly root: string
  does(request: SubjectRequest): EntityDeed
  /** Names what a request is about, before it is answered. */
  nameOf(request: SubjectRequest): string
  /** What a request changed; `undefined` where it failed or only read. */
  changeOf(request: SubjectRequest, answer: SubjectAnswer): EntityChange | undefined
}

/** What a route's requests are about: what the route says, or else what their paths name. */
export function subjectOf(route: RouteDefinition): Subject {
  const { entity } = route.options
  return entity === undefined ? ofPath(route) : ofEntity(route, entity)
}

function ofPath({ path, options, key }: RouteDefinition): Subject {
  const [, ownOperation] = key.split(/#(.*)/s)
  const subject: Subject = {
    root: rootOf(options.item?.at ?? path, options.host),
    does: ({ method, url, headers }) => {
      // Who logs in changes nothing but who that is.
      if (options.login?.does === 'begin') return 'read'
      const operation = ownOperation ?? headers['x-amz-target']
      if (!isChanging(method, url, operation === undefined ? undefined : String(operation))) return 'read'
      return method === 'DELETE' ? 'delete' : 'write'
    },
    nameOf: ({ url }) => pathOf(url),
    changeOf(request, answer) {
      if (subject.does(request) === 'read' || isFailure(answer)) return undefined
      const { method, url, headers, body: sent } = request
      const { body: answered, location, etag } = answer
      const destination = headers['destination']
      return entityChange({
        ...{ method, url, sent, answered, location, etag },
        destination: destination === undefined ? undefined : String(destination),
      })
    },
  }
  return subject
}

function ofEntity(route: RouteDefinition, { name = [], does, scope }: EntityOption): Subject {
  const { path, options, key } = route
  const names = [name].flat()
  const resolve = (facts: Facts): string | undefined =>
    names.map((each) => filledName(each, facts)).find(isText)
  // What names nothing is about all that the route is.
  const own = `${hostOf(route) ?? ''}${path}#`
  return {
    root: scope === undefined ? rootOf(path, options.host) : (options.host ?? '') + scope.replace(/\/$/, ''),
    does: () => does,
    nameOf: ({ url, body }) => resolve(requestFacts(url, body)) ?? own,
    changeOf({ url, body }, answer) {
      if (does === 'read' || isFailure(answer)) return undefined
      const facts = requestFacts(url, body)
      addFacts(facts, 'answer', answer.body)
      const method = does === 'delete' ? 'DELETE' : 'PUT'
      return { method, path: resolve(facts) ?? own, by: key, sent: body, answered: answer.body }
    },
  }
}

/** A name with the values of its places; `undefined` where one of them is not there. */
export function filledName(name: string, facts: Facts): string | undefined {
  let isWhole = true
  const text = name.replaceAll(/\{([^{}]+)\}/g, (_, place: string) => {
    const value = facts.get(place)
    isWhole &&= value !== undefined
    return encodeURIComponent(String(value))
  })
  return isWhole ? text : undefined
}

function isText(text: string | undefined): text is string {
  return text !== undefined
}

/**
 * Whether a request failed, and so changed nothing: by its status, or by what protocols say in answers of status 200
 * (JSON-RPC 2.0, section 5.1; GraphQL, section 7.1).
 */
export function isFailure({ status, body }: Pick<SubjectAnswer, 'status' | 'body'>): boolean {
  if (status >= 400) return true
  if (!isObject(body)) return false
  return isObject(body['error']) || (Array.isArray(body['errors']) && body['data'] == null)
}

function pathOf(url: string): string {
  return plainPath(url.split('?')[0] ?? '')
}
