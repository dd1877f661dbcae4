import { essenceOf, mediaParameters } from '../../media-type.ts'

/** The declared media type or range that a type falls under, the closest first; `undefined` where there is none. */
export function matchMediaType(type: string, declared: Iterable<string>): string | undefined {
  const ranked = [...declared]
    .map((range) => ({ range, closeness: closenessOf(type, range) }))
    .filter(({ closeness }) => closeness > 0)
    .toSorted((one, other) => other.closeness - one.closeness)
  return ranked[0]?.range
}

function closenessOf(type: string, range: string): number {
  const [essence, wanted] = [essenceOf(type), essenceOf(range)]
  const given = mediaParameters(type)
  const asked = [...mediaParameters(range)].filter(([name]) => name !== 'charset')
  if (asked.some(([name, value]) => given.get(name) !== value)) return 0
  if (essence === wanted) return 3 + asked.length
  if (wanted.endsWith('/*') && essence.startsWith(wanted.slice(0, -1))) return 2
  return wanted === '*/*' || wanted === '*' ? 1 : 0
}
