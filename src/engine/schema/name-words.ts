/**
 * The words of a name such as `createdAt`, `created_at` or `Created-At`, in lower case. Where it begins or ends with a
 * mark there is an empty one.
 */
export function wordsIn(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.toLowerCase())
}
