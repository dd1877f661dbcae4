import type { Folded } from './fold-paths.ts'
import { nameByEchoes } from './links.ts'

/**
 * Paths whose parameters are called as answers call the same. Those of lists are called as above the items right below,
 * since answers that are all of one parent, or have nothing in them, do not say what that is called.
 */
export function withNames(folded: readonly Folded[]): readonly Folded[] {
  const all = folded.map(nameByEchoes)
  return all.map((list) => {
    const { parameters, path, host } = list
    if (parameters.length === 0 || !isList(list)) return list
    const below = all.filter((each) => each.host === host && isItemOf(each.path, path))
    const [names = [], ...others] = below.map((each) => each.parameters.slice(0, parameters.length))
    const areSame = others.every((each) => each.join() === names.join())
    const isNamed = names.every((name) => name !== 'id' && !name.endsWith('_id'))
    if (names.length < parameters.length || !areSame || !isNamed) return list
    return list.rename((name) => names[parameters.indexOf(name)] ?? name)
  })
}

function isList({ samples }: Folded): boolean {
  const fine = samples.filter(({ status, method }) => status < 300 && method === 'GET')
  return fine.length > 0 && fine.every(({ response }) => Array.isArray(response))
}

const PARAMETER = /\{[^{}]*\}/g

function isItemOf(item: string, list: string): boolean {
  const end = item.lastIndexOf('/')
  const isParameter = /^\/\{[^{}]*\}$/.test(item.slice(end))
  return isParameter && item.slice(0, end).replaceAll(PARAMETER, '{}') === list.replaceAll(PARAMETER, '{}')
}
