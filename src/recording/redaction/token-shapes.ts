import { hide, PSEUDONYM_TEXT } from './pseudonymize.ts'
import { redaction } from './redaction-rules.ts'

// RFC 7519, section 3: three parts of base64url, the first of which starts with `{"`.
const JWT = String.raw`(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*`

// What issuers gave a shape of its own, so that it can be found.
const SHAPES = [
  JWT,
  String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*-----END [A-Z ]*PRIVATE KEY-----`,
  String.raw`\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|npm_[A-Za-z0-9]{36})`,
  String.raw`\b(?:[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|sk-[\w-]{20,}|whsec_[\w+/=]{20,})`,
  String.raw`\bxox[abeoprs]-[A-Za-z0-9-]{10,}|(?<=hooks\.slack\.com/services/)[\w/]+`,
  String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}|\bya29\.[\w-]{20,}`,
  String.raw`\bSG\.[\w-]{22}\.[\w-]{43}|(?<=\bbot)\d{6,12}:[\w-]{35}`,
  String.raw`(?<=\b(?:Bearer|Basic|Token) )(?=[\w.~+/-]*\d)[\w.~+/-]{8,}=*`,
]
const SHAPE = new RegExp(SHAPES.join('|'), 'gi')

const HINT =
  /eyj|private key|gh[pousr]_|github_pat_|glpat-|npm_|[sr]k[_-]|whsec_|xox|slack|akia|asia|aiza|ya29|sg\.|bot\d|(?:earer|asic|oken) /

/** Whether a text may hold such a secret, to be asked before the text is looked into. */
export function mayHoldShape(text: string): boolean {
  // A pattern that cares for no case is slower by half.
  return HINT.test(text.toLowerCase())
}

/** Hides texts that are secrets by how they look, and those that the patterns of the rules in force fit. */
export function redactShapes(text: string): string {
  const { patterns } = redaction()
  const known = mayHoldShape(text) ? text.replaceAll(SHAPE, hide) : text
  return patterns.reduce(hideAll, known)
}

// A pattern must not take a pseudonym apart.
function hideAll(text: string, pattern: RegExp): string {
  return text
    .split(PSEUDONYM_TEXT)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(pattern, (found) => hide(found))))
    .join('')
}
