import { UsageInvalid } from '../../errors.ts'
import type { TlsOptions } from '../../http/tls-interception.ts'
import type { Serving } from '../serve-flags.ts'

/** A command that a gateway is started for, as it was given after `--`; absent where there is none. */
export type Around = readonly string[] | undefined

/** @throws UsageInvalid where no one gateway can be around a command */
export function readAround(given: object, { workers }: Pick<Serving, 'workers'>): Around {
  const { '--': command } = given as { readonly '--'?: readonly (string | number)[] }
  if (command === undefined) return undefined
  if (workers > 1)
    throw new UsageInvalid(
      '--workers serves by several processes, and a command needs one: leave out one of both',
    )
  return command.map(String)
}

/** TLS as a command needs it: all of it ends here, unless it is said whose. */
export function tlsAround(tls: TlsOptions = {}): TlsOptions {
  return (tls.intercept ?? []).length > 0 ? tls : { ...tls, intercept: ['*'] }
}
