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
  const [own = '', before] = name.split('.').toReversed()
  // Where the last word only says what is done, the one before says to what: `note.create`.
  if (before !== undefined && DONE.test(own)) return before
  const word = own.replace(/(?<=[a-z])(Request|RequestType|Input)$/, '')
  return word.replace(VERB, '') || word
}

/** Verbs before what they are for, and not words that begin like them, such as `lists`, `settings` and `address`. */
const VERB =
  /^_?(?:[Gg]et|[Aa]ll|[Ll]ist|[Ff]ind|[Cc]reate|[Aa]dd|[Ii]nsert|[Uu]pdate|[Cc]hange|[Rr]ename|[Ss]et|[Dd]elete|[Rr]emove|[Ff]etch|[Qq]uery)(?:_?(?=[A-Z])|_(?=[a-z])|(?=[a-z]{4})(?!ress|resse|ings?|tings?|tlement|itions?|owed|ocat|ender))/

const DONE =
  /^(get|all|list|find|search|create|add|insert|update|change|set|save|delete|remove|fetch|query|read|show|info|one|many|((get|find|list|fetch)_?)?by_?(id|name|key|slug))$/i
