import { get, type Rule } from '../rule.ts'

type Answers = Pick<Rule, 'rule' | 'section' | 'answers'> & Partial<Rule>

/** An answer of the upstream by the end of its path. */
const of = (name: string, rest: Answers): Rule => ({ send: get(name), isForwarding: true, ...rest })
const broken = (name: string, section: string, rule: string, more: Partial<Rule> = {}): Rule =>
  of(name, { rule, section, answers: '502 200', isBroken: true, ...more })

/** What upstreams may answer wrongly, and what is odd but right: RFC 9112, sections 4 to 9, and RFC 9110, section 15. */
export const MALFORMED_ANSWERS: readonly Rule[] = [
  of('folded', {
    rule: 'a folded line of an answer is one line or refused',
    section: '9112 5.2',
    answers: '502 200 | 200 200',
    hides: /X-A: 1\r\n /i,
    isBroken: true,
  }),
  of('space-colon', {
    rule: 'a space before a colon of an answer does not pass',
    section: '9112 5.1',
    answers: '502 200 | 200 200',
    hides: /X-A :/i,
    isBroken: true,
  }),
  broken('plus-length', '9110 8.6', 'an answer with a signed length', {
    nginx: ['200 200', 'it takes such a length for none'],
  }),
  broken('hex-length', '9110 8.6', 'an answer with a length in hexadecimal', {
    nginx: ['200 200', 'it takes such a length for none'],
  }),
  broken('empty-length', '9110 8.6', 'an answer with an empty length', {
    nginx: ['200 200', 'it takes such a length for none'],
  }),
  of('same-lengths', {
    rule: 'an answer with the same length twice',
    section: '9112 6.3',
    answers: '502 200 | 200 200',
    hides: /content-length: 2, 2/i,
    isBroken: true,
  }),
  broken('identity', '9112 6.1', 'an answer with a coding called identity', {
    answers: '502 200 | 200 200',
    hides: /transfer-encoding: identity/i,
  }),
  broken('chunked-twice', '9112 6.1', 'an answer that is chunked twice', {
    nginx: ['200 200', 'it passes on what was in the chunks'],
  }),
  broken('chunked-1.0', '9112 6.1', 'an answer of HTTP/1.0 in chunks', {
    answers: '502 200 | 200 200 | 200',
  }),
  of('cut-length', {
    rule: 'an answer cut off is not whole',
    section: '9112 8',
    answers: '502 200 | 200',
    hides: /stayed open/,
    isBroken: true,
  }),
  of('cut-chunk', {
    rule: 'an answer cut off in a chunk is not whole',
    section: '9112 8',
    answers: '502 200 | 200',
    hides: /\r\n0\r\n\r\n/,
    isBroken: true,
  }),
  of('no-last-chunk', {
    rule: 'an answer without its last chunk is not whole',
    section: '9112 8',
    answers: '502 200 | 200',
    hides: /\r\n0\r\n\r\n/,
    isBroken: true,
  }),
  of('bad-chunk', {
    rule: 'an answer with a malformed chunk',
    section: '9112 7.1',
    answers: '502 200 | 200',
    hides: /\r\n0\r\n\r\n/,
    isBroken: true,
    nginx: ['*', 'it closes the connection in place of an answer'],
  }),
  of('lf-chunk', {
    rule: 'an answer with a bare LF in its chunks',
    section: '9112 7.1',
    answers: '502 200 | 200 | 200 200',
    isBroken: true,
  }),
  of('chunk-extension', {
    rule: 'extensions of an answer are not passed on',
    section: '9112 7.1.1',
    answers: '200 200',
    hides: /ext=/,
  }),
  of('trailer', {
    rule: 'trailers of an answer change none of its headers',
    section: '9110 6.5.1',
    answers: '200 200 | 502 200 | 200',
    hides: /content-length: 900/i,
    isBroken: true,
    haproxy: ['*', 'it passes on all trailers'],
  }),
  of('204-chunked', {
    rule: '204 has no coding',
    section: '9112 6.1',
    answers: '204 200 | 502 200',
    hides: /204[^]*transfer-encoding[^]*200 OK/i,
  }),
  of('204-length', {
    rule: '204 has no length',
    section: '9110 8.6',
    answers: '204 200 | 502 200',
    hides: /204[^]*content-length: 0[^]*200 OK/i,
    nginx: ['*', 'it passes on the length'],
  }),
  of('304-chunked', { rule: '304 has no body', section: '9110 15.4.5', answers: '304 200 | 304 | 502 200' }),
  of('205-body', { rule: '205 has no content', section: '9110 15.3.6', answers: '205 200 | 205 | 502 200 ' }),
  of('100-first', {
    rule: 'an unasked 100 is passed by',
    section: '9110 15.2',
    answers: '200 200 | 100 200 200',
  }),
  of('103-first', {
    rule: 'early hints are passed on',
    section: '9110 15.2',
    answers: '103 200 200 | 200 200',
  }),
  of('many-interim', {
    rule: 'several interim answers',
    section: '9110 15.2',
    answers: '102 103 103 200 200 | 103 103 200 200 | 200 200',
  }),
  broken('101-unasked', '9110 15.2.2', 'a protocol that nobody wanted', {
    nginx: ['101 200', 'it passes on the switch'],
  }),
  broken('status-99', '9112 4', 'a status of two digits', {
    nginx: ['200', 'it passes on any status line'],
    haproxy: ['200', 'it passes on any status line'],
  }),
  broken('status-1000', '9112 4', 'a status of four digits', {
    nginx: ['100 200', 'it passes on any status line'],
    haproxy: ['100 200', 'it passes on any status line'],
  }),
  broken('status-000', '9110 15', 'a status of zeros', {
    nginx: ['000 200', 'it passes on any status line'],
    haproxy: ['000 200', 'it passes on any status line'],
  }),
  broken('status-letters', '9112 4', 'a status of letters', {
    nginx: ['200', 'it passes on any status line'],
  }),
  of('status-299', { rule: 'a status that is not known', section: '9110 15', answers: '299 200' }),
  of('status-799', { rule: 'a status above 599', section: '9110 15', answers: '799 200 | 502 200' }),
  of('no-phrase', { rule: 'an answer without a phrase', section: '9112 4', answers: '200 200' }),
  of('no-phrase-space', {
    rule: 'an answer without the space before its phrase',
    section: '9112 4',
    answers: '200 200 | 502 200',
  }),
  broken('http-2.0', '9110 2.5', 'an answer that says HTTP/2', {
    answers: '502 200 | 200 200',
    hides: /HTTP\/2/,
  }),
  broken('icy', '9112 2.3', 'an answer of another protocol', {
    nginx: ['200', 'it passes on what is not HTTP, as HTTP/0.9'],
  }),
  of('http-1.2', {
    rule: 'an answer of a minor version above ours',
    section: '9110 2.5',
    answers: '200 200 | 502 200',
    shows: /^HTTP\/1\.1/,
    isBroken: true,
  }),
  of('lf-only', {
    rule: 'an answer with bare line ends',
    section: '9112 2.2',
    answers: '200 200 | 502 200',
    isBroken: true,
  }),
  broken('nothing', '9110 15.6.3', 'no answer', { answers: '502 200' }),
  broken('cut-head', '9112 8', 'a head that is cut off'),
  broken('no-colon', '9112 5', 'an answer with a header without a colon', {
    nginx: ['200 200', 'it leaves the line out'],
  }),
  broken('no-name', '9112 5', 'an answer with a header without a name'),
  broken('nul-value', '9110 5.5', 'an answer with a NUL in a value', {
    haproxy: ['200 200', 'it does not read what it passes on'],
  }),
  of('cr-value', {
    rule: 'a bare CR in an answer does not pass',
    section: '9110 5.5',
    answers: '502 200 | 200 200',
    hides: /a\rb/,
    isBroken: true,
  }),
  broken('huge-head', '9110 5.4', 'a head of an answer that is too large'),
  of('extra', {
    rule: 'HEAD is not answered with the body of the upstream',
    section: '9110 9.3.2',
    send: 'HEAD {target}head-body HTTP/1.1\r\n{host}\r\n',
    answers: '200 200 | 200 | 502 200',
    hides: /stolen/,
  }),
  of('upgrade-named', {
    rule: 'Upgrade of an answer is of one hop',
    section: '9110 7.8',
    answers: '200 200',
    hides: /upgrade: /i,
    nginx: ['*', 'it passes on what is not configured otherwise'],
    haproxy: ['*', 'it passes on what Connection names'],
  }),
]
