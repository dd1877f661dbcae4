// Comments, CDATA, instructions and declarations, or a tag: its slash, its name, and whether it ends itself.
const PART =
  /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<![^>]*>|<(\/?)([^\s/>]+)(?:"[^"]*"|'[^']*'|[^"'>])*?(\/?)>/g

/**
 * The local name of the first element at a path of local names, such as `/Envelope/Body/*`, whose last may be `*`.
 * @returns undefined where there is none, or the text is not XML
 */
export function elementAt(xml: string, path: string): string | undefined {
  const wanted = path.split('/').slice(1)
  const open: string[] = []
  for (const [whole, slash, tag, own] of xml.matchAll(PART)) {
    if (tag === undefined) continue
    if (slash === '/') {
      open.pop()
      continue
    }
    const name = tag.slice(tag.indexOf(':') + 1)
    const depth = open.length
    const isOnPath = depth === wanted.length - 1 && open.every((each, index) => each === wanted[index])
    if (isOnPath && (wanted[depth] === '*' || wanted[depth] === name)) return name
    if (own !== '/' && !whole.endsWith('/>')) open.push(name)
  }
  return undefined
}
