/** What the objects at a place are called: of a member as it is, of a call what it is for. */
export function plainName(place: string): string {
  const [, said] = /<([^<>/]+)>$/.exec(place) ?? []
  if (said !== undefined) return said
  // XML has an element for each item of a list.
  const [call = place, ...members] = place
    .replace(/(?<=\/[^/]+)\/(member|item|entry)$/, '')
    // A connection has edges with its objects as their nodes.
    .replace(/\/nodes$|(\/edges)?\/node$/, '')
    .split('/')
  const name =
    members.length === 1 && /^(data|items|results?|nodes|edges|list|value|return)$/i.test(members[0] ?? '')
      ? call
      : (members.at(-1) ?? call)
  // The element of a request in SOAP is mostly called so.
  const word = name.slice(name.lastIndexOf('.') + 1).replace(/(?<=[a-z])(Request|RequestType|Input)$/, '')
  return (
    word.replace(
      /^_?(get|all|list|find|create|add|insert|update|change|rename|set|delete|remove|fetch|query)_?(?=[A-Z_a-z])/i,
      '',
    ) || word
  )
}
