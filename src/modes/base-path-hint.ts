import type { HttpRequest } from '../message.ts'
import type { Engine } from '../engine/engine.ts'

/** Where a path would have been found that is declared below a server's base path; `undefined` where it is not. */
export function basePathHint(
  { routes, allowed }: Pick<Engine, 'routes' | 'allowed'>,
  { path, ...call }: Pick<HttpRequest, 'host' | 'path'>,
): string | undefined {
  const bases = new Set(routes.map(({ operation }) => operation?.basePath ?? ''))
  const base = [...bases].find(
    (each) => each !== '' && allowed({ ...call, path: `${each}${path}` }).length > 0,
  )
  return base === undefined
    ? undefined
    : `The description's server has its operations below ${base}: ask for ${base}${path}`
}
