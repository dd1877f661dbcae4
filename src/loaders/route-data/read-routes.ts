import { METHODS } from 'node:http'
import type { SimAPI } from '../../api.ts'
import { nearest, shown, snakeCase } from '../../data-files/words.ts'
import { findMethodProblem } from '../../http/methods.ts'
import { isObject } from '../../engine/schema/schema.ts'
import type { Method } from '../../engine/route.ts'
import { placeBelow, type DataPlace } from './read-entries.ts'
import type { Models } from './models.ts'
import { readRouteOptions } from './read-route-options.ts'

/** Declares the routes that data gives by method and path, such as `GET /users/{id}`. */
export function readRoutes(data: unknown, api: SimAPI, models: Models, place: DataPlace): void {
  if (!isObject(data)) return place.report([], `must be options by method and path, not ${shown(data)}`)
  for (const [key, value] of Object.entries(data)) {
    const at = placeBelow(place, key)
    const [, method = '', host = '', path = ''] = /^(\S*)\s+([^\s/]*)(\/\S*)$/.exec(key) ?? []
    if (path === '') at.report([], `a route's key is a method and a path, such as 'GET /users/{id}'`)
    else if (findMethodProblem(method) !== undefined) at.report([], methodMessage(method))
    else declareRoute(value, api, { ...models, key, method, host, path }, at)
  }
}

function methodMessage(method: string): string {
  const like = nearest(method, METHODS)
  return like === undefined || like === method
    ? (findMethodProblem(method) ?? '')
    : `'${method}' is not a method. Did you mean '${like}'?`
}

interface RouteKey extends Models {
  readonly key: string
  readonly method: string
  /** Before the path; empty for any. */
  readonly host: string
  readonly path: string
}

function declareRoute(
  value: unknown,
  api: SimAPI,
  { input, output, key, method, host, path }: RouteKey,
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
    api.route(method as Method, path, host === '' ? options : { ...options, host })
  } catch (error) {
    const [, own = ''] = (error as Error).message.split(`${key}: `)
    const [, option = '', problem = ''] = /^(\w+) (.*)$/s.exec(own) ?? []
    const name = snakeCase(option)
    if (Object.hasOwn(options, option)) at.report([name], problem)
    else at.report([], own === '' ? (error as Error).message : own)
  }
}
