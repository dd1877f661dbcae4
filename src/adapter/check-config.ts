import { OptionInvalid } from '../errors.ts'
import type { AdapterConfig } from './config.ts'

const MODES = ['disabled', 'optional', 'strict']

/** @throws OptionInvalid for a value that a key of the kit's cannot have */
export function checkConfig(name: string, config: AdapterConfig): void {
  const refuse = (key: string, wanted: string): never => {
    throw new OptionInvalid(`${name}: ${key} must be ${wanted}`)
  }
  const oneOf = (key: string, value: unknown, values: readonly string[]): void => {
    if (value !== undefined && !values.some((each) => each === value))
      refuse(key, `one of ${values.join(', ')}, not ${JSON.stringify(value)}`)
  }
  const { seed, auth, stateful, strict, consistency, clock, isolate } = config
  if (seed !== undefined && !Number.isSafeInteger(seed)) refuse('seed', 'a whole number')
  oneOf('auth', typeof auth === 'object' ? auth.mode : auth, MODES)
  for (const [key, value] of Object.entries({ stateful, strict })) {
    if (value !== undefined && typeof value !== 'boolean') refuse(key, 'true or false')
  }
  oneOf('consistency', consistency, ['reject', 'continue'])
  oneOf('clock', clock, ['still', 'running'])
  oneOf('isolate', isolate, ['token'])
  for (const limit of [config.rateLimit ?? []].flat()) {
    if (!(limit.requests >= 0) || !(limit.windowSeconds > 0))
      refuse('rateLimit', 'a number of requests, 0 or more, within windowSeconds, more than 0')
  }
}

/** A moment in milliseconds since 1970. @throws OptionInvalid for what is none */
export function momentOf(given: AdapterConfig['startAt']): number | undefined {
  if (given === undefined) return undefined
  const moment = new Date(given).getTime()
  if (Number.isNaN(moment))
    throw new OptionInvalid(`startAt must be a moment in time, not '${String(given)}'`)
  return moment
}
