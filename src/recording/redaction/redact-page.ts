import { redactJson } from './redact-json.ts'
import { redactTags, redactText } from './redact-text.ts'
import { inScript, type Secrets } from './secrets.ts'

const SCRIPT = /javascript|ecmascript|css/i

/** Whether a body is a script or a style sheet, by its `Content-Type`. */
export function isScript(contentType: string): boolean {
  return SCRIPT.test(contentType)
}

const OPENS_SCRIPT = /<(script|style)(?:\s[^<>]*)?>/gi

/** State that a page hands over to its scripts. */
const IS_JSON = /\stype\s{0,9}=\s{0,9}["']?application\/(?:[\w.-]{1,40}\+)?json\b/i

/** Hides the secrets of an HTML page. What is in its scripts and style sheets is looked into as such. */
export function redactPage(text: string, secrets: Secrets): string {
  const pieces: string[] = []
  const outside = (part: string): string => redactText(redactTags(part, secrets), secrets)
  let from = 0
  for (
    let open = startOf(OPENS_SCRIPT, text, from);
    open !== null;
    open = startOf(OPENS_SCRIPT, text, from)
  ) {
    const start = open.index + open[0].length
    const end = startOf(new RegExp(`</${open[1]}`, 'gi'), text, start)?.index ?? text.length
    const script = text.slice(start, end)
    const data = IS_JSON.test(open[0]) ? redactJson(script, secrets) : undefined
    pieces.push(outside(text.slice(from, start)), data ?? redactText(script, inScript(secrets)))
    from = end
  }
  return pieces.join('') + outside(text.slice(from))
}

function startOf(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from
  return pattern.exec(text)
}
