import { isObject } from '../engine/schema/schema.ts'
import { variablesIn } from './variables.ts'

/** The security schemes of a collection as a description has them, and those that are not checked. */
export interface Schemes {
  readonly components: Record<string, object>
  readonly unknown: Set<string>
}

/** The requirements of a request; `undefined` where nothing is said. */
export function securityOf(auth: unknown, { components, unknown }: Schemes): readonly object[] | undefined {
  if (!isObject(auth) || typeof auth['type'] !== 'string') return undefined
  const { type } = auth
  if (type === 'noauth') return []
  // A list of names and values, or in older collections an object.
  const given = auth[type]
  const values = new Map(
    Array.isArray(given) ? variablesIn(given) : Object.entries(isObject(given) ? given : {}),
  )
  const require = (name: string, scheme: object): readonly object[] => {
    components[name] = scheme
    return [{ [name]: [] }]
  }
  if (type === 'bearer' || type === 'oauth2' || type === 'jwt')
    return require('bearer', { type: 'http', scheme: 'bearer' })
  if (type === 'basic') return require('basic', { type: 'http', scheme: 'basic' })
  if (type === 'apikey') {
    const key: unknown = values.get('key')
    const name = typeof key === 'string' && key !== '' ? key : 'X-API-Key'
    const place = values.get('in') === 'query' ? 'query' : 'header'
    return require(`${place}_${name.replace(/[^\w-]/g, '_')}`, { type: 'apiKey', in: place, name })
  }
  unknown.add(type)
  return undefined
}
