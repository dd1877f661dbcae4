import { childOf, itemsOf, textAt, type Node } from './node.ts'

/**
 * The path below which the first server of the nearest holder has its operations, without a slash at its end.
 * @param holders operation, path item and document: the first that names servers counts
 */
export function basePathOf(holders: readonly Node[]): string {
  const server = holders
    .map((holder) => itemsOf(childOf(holder, 'servers'))[0])
    .find((each) => each !== undefined)
  return server === undefined ? '' : pathOfUrl(urlOf(server))
}

/** A server's address, with the defaults of its variables. */
function urlOf(server: Node): string {
  const variables = childOf(server, 'variables')
  return (textAt(server, 'url') ?? '').replace(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const variable = variables && childOf(variables, name)
    const value = variable && childOf(variable, 'default')?.value
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  })
}

// An address without a host is relative to the description's own, which nobody knows here: to the root.
function pathOfUrl(url: string): string {
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*|^\/\/[^/?#]*/i, '').replace(/[?#].*$/, '')
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  return segments.length === 0 ? '' : `/${segments.join('/')}`
}
