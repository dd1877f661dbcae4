/** The name of the field that a position lies in: the last name of its path, without indexes. */
export function lastName(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1).replace(/\[.*\]$/, '')
}

/** The name that `firstName`, `first_name` and `first-name` share; the items of `tags` are called `tag`. */
export function plainName(field: string): string {
  const name = lastName(field)
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()
  return field.endsWith('[]') ? singular(name) : name
}

function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`
  if (/(s|x|ch|sh)es$/.test(name)) return name.slice(0, -2)
  return name.endsWith('s') ? name.slice(0, -1) : name
}
