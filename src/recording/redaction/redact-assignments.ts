import { hide } from './pseudonymize.ts'
import { isSecretName } from './secret-names.ts'

// `"token": "…"` in a script, `password="…"` of an element, `login(password: "…")` of a query.
const ASSIGNMENT = /(["'\\]*)(?<![\w.-])([A-Za-z_][\w.:-]{1,60})\1(\s*[:=]\s*)(\\?["'])(.*?)\4/g

// `token: …` and `export TOKEN=…`, which YAML, settings and other protocols in a body have a line for.
const LINE = /^([ \t]*(?:-[ \t]+|export[ \t]+)?([\w.-]{2,60})[ \t]*[:=][ \t]*)([^\s"'{[#].*?)([ \t\r]*)$/gm

// The first word of what has no scheme may be a secret (IANA's registry, and those of large vendors).
const SCHEME =
  /^((?:Basic|Bearer|Digest|DPoP|GNAP|HOBA|Mutual|Negotiate|NTLM|OAuth|SCRAM-SHA-(?:1|256)|vapid|AWS4-HMAC-SHA256|Hawk|SharedKey(?:Lite)?|Token|JWT|ApiKey|Api-Key|Key|SSWS) +)(\S.*)$/is

const TAG = /<(?:input|meta)\b[^>]*>/gi
const TAG_NAME = /\b(?:name|id|property)\s*=\s*["']?([^"'\s>]+)/i
const TAG_VALUE = /(\b(?:value|content)\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^"'\s>]+))/i

/** Hides the values that are given to secret names between quotes, as programs do it. */
export function redactAssignments(text: string): string {
  if (!text.includes('"') && !text.includes("'")) return text
  return text.replaceAll(
    ASSIGNMENT,
    (whole, open: string, name: string, by: string, quote: string, value: string) =>
      isSecretName(name) ? `${open}${name}${open}${by}${quote}${hide(value)}${quote}` : whole,
  )
}

/** Hides the values of secret names that have a line of their own, without quotes. */
export function redactLines(text: string): string {
  if (!text.includes(':') && !text.includes('=')) return text
  return text.replaceAll(LINE, (whole, head: string, name: string, value: string, end: string) =>
    isSecretName(name)
      ? `${head}${/authorization$/i.test(name) ? hideCredentials(value) : hide(value)}${end}`
      : whole,
  )
}

/** Hides the values of an HTML page's secret fields, such as `<input name="csrf_token" value="…">`. */
export function redactTags(text: string): string {
  return text.replaceAll(TAG, (tag) => {
    const [, name = ''] = TAG_NAME.exec(tag) ?? []
    return isSecretName(name) ? tag.replace(TAG_VALUE, hideAttribute) : tag
  })
}

/** The credentials of an `Authorization` header without the secret; the scheme stays, and tells nothing. */
export function hideCredentials(value: string): string {
  const [, scheme = '', rest = value] = SCHEME.exec(value) ?? []
  return `${scheme}${hide(rest)}`
}

function hideAttribute(
  _whole: string,
  head: string,
  double?: string,
  single?: string,
  bare?: string,
): string {
  if (bare !== undefined) return `${head}${hide(bare)}`
  return double === undefined ? `${head}'${hide(single ?? '')}'` : `${head}"${hide(double)}"`
}
