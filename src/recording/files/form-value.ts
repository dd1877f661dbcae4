/** A form's fields by name; those that came several times as lists. */
export type FormValue = Readonly<Record<string, unknown>>

/** The fields of an `application/x-www-form-urlencoded` text. */
export function readForm(text: string): FormValue {
  return byName([...new URLSearchParams(text)])
}

/** The fields of a `multipart` text by their names, whatever its boundary is; `undefined` when it has no boundary. */
export function readMultipart(text: string, contentType: string): FormValue | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return undefined
  // What comes before the first boundary and after the last one is no part (RFC 2046, section 5.1.1).
  const parts = text.split(`--${boundary}`).slice(1, -1)
  return byName(parts.map(readPart))
}

function readPart(part: string): readonly [string, unknown] {
  const blank = /\r?\n\r?\n/.exec(part)
  const head = part.slice(0, blank?.index ?? 0)
  const content = part.slice(blank === null ? 0 : blank.index + blank[0].length).replace(/\r?\n$/, '')
  const name = parameterOf(head, 'name') ?? ''
  const filename = parameterOf(head, 'filename')
  const [, type] = /^content-type:\s*(.*?)\s*$/im.exec(head) ?? []
  return [name, filename === undefined && type === undefined ? content : { filename, type, content }]
}

// RFC 7578, section 4.2
function parameterOf(head: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`^content-disposition:.*?;\\s*${name}=(?:"([^"]*)"|([^\\s;]+))`, 'im').exec(head) ?? []
  return quoted ?? plain
}

function byName(pairs: readonly (readonly [string, unknown])[]): FormValue {
  const fields = new Map<string, unknown[]>()
  for (const [name, value] of pairs) {
    const values = fields.get(name)
    if (values === undefined) fields.set(name, [value])
    else values.push(value)
  }
  return Object.fromEntries(
    [...fields].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  )
}
