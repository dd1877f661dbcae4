import { createRequire } from 'node:module'

/** The version of this package. */
export function version(): string {
  const { version: text } = createRequire(import.meta.url)('sim-gateway/package.json') as { version: string }
  return text
}
