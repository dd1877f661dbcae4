import { readHostPattern, type Host } from './host.ts'
import { OptionInvalid } from '../errors.ts'

/** Whether a host is on a list. */
export type HostList = (host: Host) => boolean

/**
 * Reads a list of hosts: `api.example.com`, `*.example.com`, either with a port, or `*` for all.
 * @throws OptionInvalid when one is none of these; the message names the option
 */
export function readHostList(option: string, texts: readonly string[] = []): HostList {
  const patterns = texts
    .filter((text) => text !== '*')
    .map((text) => {
      const pattern = readHostPattern(text)
      if (pattern !== undefined) return pattern
      throw new OptionInvalid(
        `${option} takes hosts such as api.example.com, *.example.com or *, not '${text}'`,
      )
    })
  if (texts.includes('*')) return () => true
  return (host) => patterns.some((pattern) => pattern.matches(host))
}
