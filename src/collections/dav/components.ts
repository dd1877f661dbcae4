/** A component of iCalendar or vCard: its properties as their names, parameters and values, and the components in it. */
export interface Component {
  readonly name: string
  readonly properties: readonly ContentLine[]
  readonly components: readonly Component[]
}

interface ContentLine {
  /** In capitals. */
  readonly name: string
  /** As they are written, with the semicolon before them. */
  readonly parameters: string
  readonly value: string
}

/** Reads iCalendar (RFC 5545) or vCard (RFC 6350); `undefined` where a text is neither. */
export function readComponents(text: string): readonly Component[] | undefined {
  if (!/^\s*BEGIN:V/i.test(text)) return undefined
  interface Open {
    name: string
    properties: ContentLine[]
    components: Component[]
  }
  const root: Open = { name: '', properties: [], components: [] }
  const stack = [root]
  for (const line of text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    if (line.trim() === '') continue
    const [, name = '', parameters = '', value = ''] =
      /^([^:;]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/s.exec(line) ?? []
    const top = stack.at(-1)
    if (name === '' || top === undefined) return undefined
    if (/^BEGIN$/i.test(name)) {
      const component: Open = { name: value.toUpperCase(), properties: [], components: [] }
      top.components.push(component)
      stack.push(component)
    } else if (/^END$/i.test(name)) stack.pop()
    else top.properties.push({ name: name.toUpperCase(), parameters, value })
  }
  return stack.length === 1 ? root.components : undefined
}

/** A text that is the same for components that say the same: the order of properties and the folding of lines say nothing. */
export function comparableComponents(text: string): string | undefined {
  const found = readComponents(text)
  return found && found.map(linesOf).join('\n')
}

function linesOf({ name, properties, components }: Component): string {
  const own = properties.map(({ name: key, parameters, value }) => `${key}${parameters}:${value}`)
  const all = [...own.toSorted(), ...components.map(linesOf).toSorted()]
  return [`BEGIN:${name}`, ...all, `END:${name}`].join('\n')
}

/** A time of iCalendar in milliseconds since 1970, as UTC; `undefined` where it is none. */
export function timeOfText(text: string): number | undefined {
  const [, year, month, day, hour = '0', minute = '0', second = '0'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(text) ?? []
  if (year === undefined) return undefined
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
}

const UNIT_MS: Readonly<Record<string, number>> = {
  ...{ W: 604_800_000, D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 },
}
const DAY_MS = 86_400_000

/** When a component begins and ends (RFC 4791, section 9.9); `undefined` where it says nothing of it. */
export function spanOf({ properties }: Component): readonly [start: number, end: number] | undefined {
  const lineOf = (name: string): ContentLine | undefined => properties.find((each) => each.name === name)
  const at = (name: string): number | undefined => timeOfText(lineOf(name)?.value ?? '')
  const due = at('DUE')
  const start = at('DTSTART') ?? due
  if (start === undefined) return undefined
  const rule = lineOf('RRULE')?.value
  if (rule !== undefined) {
    const [, until = ''] = /UNTIL=([^;]+)/.exec(rule) ?? []
    return [start, timeOfText(until) ?? Infinity]
  }
  const duration = [...(lineOf('DURATION')?.value ?? '').matchAll(/(?<!\d)(\d+)([WDHMS])/g)]
  const length = duration.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0)
  const isDay = /^\d{8}$/.test(lineOf('DTSTART')?.value ?? '')
  return [start, at('DTEND') ?? due ?? start + (length || (isDay ? DAY_MS : 0))]
}
