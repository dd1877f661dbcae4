import { RULES } from '../conformance/rules/rules.ts'
import type { OracleName } from '../conformance/oracles.ts'

/** Where another server may do otherwise than the gateway: a rule that says why, and what it is known by. */
interface Known {
  /** A rule of `test/conformance/rules`, which has the section. */
  readonly rule: string
  /** What is in the bytes of each pipeline with it. */
  readonly mark: RegExp
  /** The one that differs; both, where there is none. */
  readonly of?: OracleName
}

const KNOWN: readonly Known[] = [
  { rule: 'close is found beside keep-alive', mark: /^Connection: [^]*^Connection: /m, of: 'nginx' },
  { rule: 'a NUL in a value', mark: /^X: a[^\s\w]b/m, of: 'haproxy' },
  { rule: 'a condition that is given twice', mark: /^(If-[\w-]+): [^]*^\1: /m, of: 'nginx' },
  { rule: 'an upgrade to HTTP/2 is left aside', mark: /^Upgrade: h2c/m, of: 'haproxy' },
  { rule: 'a chunk longer than its size', mark: /^1\r\nab/m },
  { rule: 'a chunk size with 0x', mark: /^0x0/m },
  { rule: 'a chunk size below zero', mark: /^-1\r/m },
  { rule: 'a chunk size that no number holds', mark: /^f{18}/m },
  { rule: 'Max-Forwards is counted down', mark: /^(?:OPTIONS|TRACE) [^]*^Max-Forwards/m },
  { rule: 'a request after an upgrade ends nothing', mark: /^Upgrade: websocket/m },
  { rule: 'a control character in a value', mark: /^X: [^\s\w]\r$/m },
  { rule: 'a method that nobody knows', mark: /^FOO /m },
  { rule: 'a method in lower case is another', mark: /^get /m },
  { rule: 'a method with a separator', mark: /^G T /m },
  { rule: 'CONNECT with a path', mark: /^CONNECT /m },
  { rule: 'TRACE may be passed on', mark: /^TRACE /m },
  { rule: 'a space before the method', mark: /^ {2}[A-Z]+ /m },
  { rule: 'a space in the target', mark: / x HTTP/ },
  { rule: 'a fragment in the target', mark: /#x HTTP/ },
  { rule: 'no version', mark: /^[A-Z]+ \/\S+\r$/m },
  { rule: 'a version that is not spoken', mark: / HTTP\/2\.0\r$/m },
  { rule: 'an asterisk for another method', mark: /^[A-Z]+ \* /m },
  { rule: 'OPTIONS * is for the server itself', mark: /^OPTIONS \* /m },
  { rule: 'HTTP/1.0 ends after one answer', mark: / HTTP\/1\.0\r$/m },
  { rule: 'a header without a colon', mark: /^Xa\r$/m },
  { rule: 'a name with a separator', mark: /^X\(y\):/m },
  { rule: 'a bare LF after a value may be taken', mark: /^X: a\nY: b/m },
  { rule: 'a folded header', mark: /^X: a\r\n b\r$/m, of: 'haproxy' },
  { rule: 'whitespace before the first header', mark: /^ X: a\r$/m },
  { rule: 'an expectation that is not known may fail', mark: /^Expect: tea/m },
  { rule: 'Expect is met before the body', mark: /^Expect: 100-continue/m },
  {
    rule: 'length and chunks',
    mark: /^Content-Length: [03]\r\nTransfer-Encoding|chunked\r\nContent-Length: 3/m,
  },
  { rule: 'a coding that is not known', mark: /^Transfer-Encoding:(?: xchunked|\v|.*identity)/m },
  { rule: 'a bare LF after a chunk size', mark: /^4\nabcd/m },
  { rule: 'headers that are too large', mark: /a{20000}/ },
]

const names = new Set(RULES.map(({ rule }) => rule))
for (const { rule } of KNOWN) if (!names.has(rule)) throw new Error(`there is no rule '${rule}'`)

/** Whether a rule says why another server may do otherwise with these bytes. */
export function mayDiffer(name: OracleName, text: string): boolean {
  return KNOWN.some(({ mark, of = name }) => of === name && mark.test(text))
}
