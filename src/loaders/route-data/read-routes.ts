import type { SimAPI } from '../../api.ts'
import { hintAt, shown, snakeCase } from '../../data-files/words.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { RouteOptions } from '../../engine/route-options.ts'
import { placeBelow, type DataPlace } from './read-entries.ts'
import type { Models } from './models.ts'
import { readRouteOptions } from './read-route-options.ts'

/** The methods that data may declare routes for, as it names them. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

type Declare = (path: string, options: RouteOptions) => unknown

/** Declares the routes that data gives by method and path, such as `GET /users/{id}`. */
export function readRoutes(data: unknown, api: SimAPI, models: Models, place: DataPlace): void {
  if (!isObject(data)) return place.report([], `must be options by method and path, not ${shown(data)}`)
  const declare: Readonly<Record<(typeof METHODS)[number], Declare>> = {
    GET: (path, options) => api.get(path, options),
    POST: (path, options) => api.post(path, options),
    PUT: (path, options) => api.put(path, options),
    PATCH: (path, options) => api.patch(path, options),
    DELETE: (path, options) => api.delete(path, options),
  }
  for (const [key, value] of Object.entries(data)) {
    const at = placeBelow(place, key)
    const [, method = '', host = '', path = ''] = /^(\S*)\s+([^\s/]*)(\/\S*)$/.exec(key) ?? []
    if (path === '') at.report([], `a route's key is a method and a path, such as 'GET /users/{id}'`)
    else if (!isMethod(method))
      at.report([], `'${method}' is not a method. ${hintAt(method, METHODS, 'Methods')}`)
    else declareRoute(value, declare[method], { ...models, key, host, path }, at)
  }
}

interface RouteKey extends Models {
  readonly key: string
  /** Before the path; empty for any. */
  readonly host: string
  readonly path: string
}

function declareRoute(
  value: unknown,
  declare: Declare,
  { input, output, key, host, path }: RouteKey,
  at: DataPlace,
): void {
  let problems = 0
  const counting = {
    ...at,
    report: (keys: readonly string[], message: string) => (problems++, at.report(keys, message)),
  }
  // A route without options has no value at all in YAML.
  const options = readRouteOptions(value ?? {}, counting, { input, output })
  if (problems > 0) return
  try {
    declare(path, host === '' ? options : { ...options, host })
  } catch (error) {
    const [, own = ''] = (error as Error).message.split(`${key}: `)
    const [, option = '', problem = ''] = /^(\w+) (.*)$/s.exec(own) ?? []
    const name = snakeCase(option)
    if (Object.hasOwn(options, option)) at.report([name], problem)
    else at.report([], own === '' ? (error as Error).message : own)
  }
}

function isMethod(text: string): text is (typeof METHODS)[number] {
  return (METHODS as readonly string[]).includes(text)
}
