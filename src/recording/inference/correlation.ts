import { isObject } from '../../engine/schema/schema.ts'
import { remembered } from '../../engine/lazy.ts'
import type { Sample } from './sample.ts'

/**
 * The members of bodies that say which request an answer is to, such as the id of JSON-RPC: answers repeat them, those
 * that succeeded and those that failed alike. They explain nothing.
 */
export const correlationFields = remembered<readonly Sample[], ReadonlySet<string>>((samples) => {
  const said = samples.flatMap(({ body, response, status }) =>
    isObject(body) && isObject(response) ? [{ body, response, isFine: status < 400 }] : [],
  )
  const names = new Set(said.flatMap(({ body }) => Object.keys(body)))
  const repeats = ({ body, response }: (typeof said)[number], name: string): boolean =>
    body[name] !== undefined && body[name] === response[name]
  return new Set(
    [...names].filter((name) => {
      const having = said.filter(({ body }) => Object.hasOwn(body, name))
      const areBoth = having.some(({ isFine }) => isFine) && having.some(({ isFine }) => !isFine)
      return areBoth && having.every((each) => repeats(each, name))
    }),
  )
}, new WeakMap())
