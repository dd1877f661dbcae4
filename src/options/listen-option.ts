import type { Place } from '../http/listeners.ts'
import { listOf, textThat, type Option } from '../pipeline/option.ts'

const ADDRESS = /^(\[[\da-fA-F:.]+\]|[^\s:/[\]]+):(\d{1,5})$/
const FILE = /^unix:(.+)$/s

/** The list of places to listen at. */
export const LISTEN: Option = {
  ...listOf(
    textThat(isPlace, 'a place', {
      pattern: '^(unix:.+|(\\[[0-9a-fA-F:.]+\\]|[^:/\\[\\]\\s]+):[0-9]{1,5})$',
    }),
    'a list of host:port, such as 127.0.0.1:8080, and unix:/path',
  ),
  see: 'cli.md#where-it-listens',
  group: 'Serving',
  describe: 'Where to listen: host:port, or unix:/path for a socket file.',
}

function isPlace(text: string): boolean {
  const [, , port] = ADDRESS.exec(text) ?? []
  return FILE.test(text) || (port !== undefined && Number(port) <= 65_535)
}

/** The place that a text of that list names. */
export function readPlace(text: string): Place {
  const [, path] = FILE.exec(text) ?? []
  if (path !== undefined) return { path }
  const [, host = '', port] = ADDRESS.exec(text) ?? []
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}
