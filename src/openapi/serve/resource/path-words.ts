const WORDS = ['id', 'uuid', 'key', 'slug', 'name', 'number', 'code', 'alias', 'login', 'email']
const WORD = WORDS.map(([first = '', ...rest]) => `[${first}${first.toUpperCase()}]${rest.join('')}`).join(
  '|',
)
// `project_id_or_slug`, `issueIdOrKey` and `nameOrId`, but no `keyOrder`.
const EITHER = new RegExp(`^(.*?)[-_]?(${WORD})(?:[-_]or[-_]|Or)(${WORD})$`)

/** The names of what a path's parameter may hold: `projectId` and `projectSlug` of `projectIdOrSlug`, an id first. */
export function eitherNamesOf(parameter: string): readonly string[] {
  const [, thing = '', one, other] = EITHER.exec(parameter) ?? []
  if (one === undefined || other === undefined) return [parameter]
  const names = [one, other].toSorted((a, b) => Number(/id$/i.test(b)) - Number(/id$/i.test(a)))
  return names.map((name) => `${thing}${name}`)
}

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['people', 'person'],
  ['children', 'child'],
  ['statuses', 'status'],
  ['addresses', 'address'],
])

/** A plural noun in the singular, as far as its ending shows. */
export function singularOf(plural: string): string {
  const word = plural.toLowerCase()
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}
