import { describe, expect, it } from 'vitest'
import { comparableText } from '../../../src/recording/inference/comparable-text.ts'

const response = (href: string): string => `<d:response><d:href>${href}</d:href></d:response>`
const multi = (...hrefs: string[]): string =>
  `<d:multistatus xmlns:d="DAV:">${hrefs.map(response).join('')}</d:multistatus>`

describe('texts that say the same', () => {
  it.each([
    ['prefixes', '<a:x xmlns:a="urn:a"><a:y/></a:x>', '<x xmlns="urn:a">\n <y></y>\n</x>', true],
    ['namespaces', '<a:x xmlns:a="urn:a"/>', '<a:x xmlns:a="urn:b"/>', false],
    ['attributes', '<x a="1" b="2"/>', '<x b="2" a="1"/>', true],
    ['the order of elements', '<x><a/><b/></x>', '<x><b/><a/></x>', false],
    ['the order of a multi-status', multi('/a', '/b'), multi('/b', '/a'), true],
    ['escapes of addresses', multi('/a%20b'), multi('/a b'), true],
    [
      'properties of cards',
      'BEGIN:VCARD\r\nA:1\r\nB:2\r\nEND:VCARD\r\n',
      'BEGIN:VCARD\nB:2\nA:1\nEND:VCARD',
      true,
    ],
    ['folded lines', 'BEGIN:VCARD\nA:on\n e\nEND:VCARD', 'BEGIN:VCARD\nA:one\nEND:VCARD', true],
    ['values', 'BEGIN:VCARD\nA:1\nEND:VCARD', 'BEGIN:VCARD\nA:2\nEND:VCARD', false],
  ])('%s', (_, one, other, isSame) => {
    expect(JSON.stringify(comparableText(one)) === JSON.stringify(comparableText(other))).toBe(isSame)
  })
})
