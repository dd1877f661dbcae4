/** What is known of the form of a value: which types it had, and what its parts are like. */
export interface Form {
  readonly types: Set<string>
  readonly members: Map<string, Form>
  /** How many objects there were, and how many had each member. */
  objects: number
  readonly counts: Map<string, number>
  items?: Form
}

/** Nothing known yet. */
export function createForm(): Form {
  return { types: new Set(), members: new Map(), objects: 0, counts: new Map() }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Takes in one more value. */
export function learn(form: Form, value: unknown): void {
  form.types.add(typeOf(value))
  if (Array.isArray(value)) {
    form.items ??= createForm()
    for (const item of value) learn(form.items, item)
  } else if (value !== null && typeof value === 'object') {
    form.objects++
    for (const [name, part] of Object.entries(value)) {
      const member = form.members.get(name) ?? createForm()
      form.members.set(name, member)
      form.counts.set(name, (form.counts.get(name) ?? 0) + 1)
      learn(member, part)
    }
  }
}

/**
 * How a value is not of a known form: a type that never came, a member that is missing though it always was there, or
 * one that never was.
 * @param isMap whether the members of a member of this name are data
 */
export function misfits(form: Form, value: unknown, isMap: (name: string) => boolean, at = ''): string[] {
  if (form.types.size === 0) return []
  const type = typeOf(value)
  if (!form.types.has(type)) return [`${at || 'body'}: ${type} instead of ${[...form.types].join(' or ')}`]
  const { items } = form
  if (Array.isArray(value))
    return items === undefined ? [] : value.flatMap((item) => misfits(items, item, isMap, `${at}[]`))
  if (value === null || typeof value !== 'object') return []
  const missing = [...form.counts].filter(
    ([name, count]) => count === form.objects && !Object.hasOwn(value, name),
  )
  return [
    ...missing.map(([name]) => `${at}.${name}: missing`),
    ...Object.entries(value).flatMap(([name, part]) => {
      const member = form.members.get(name)
      if (isMap(name)) return []
      return member === undefined ? [`${at}.${name}: unknown`] : misfits(member, part, isMap, `${at}.${name}`)
    }),
  ]
}
