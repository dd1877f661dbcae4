const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const REFERENCE = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi
const MAX_CODE = 0x10_ffff

/** A text of XML or HTML without its character references, but for those that only HTML has a name for. */
export function decodeReferences(text: string): string {
  return text.replaceAll(REFERENCE, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : parseInt(decimal, 10)
    return code <= MAX_CODE ? String.fromCodePoint(code) : whole
  })
}

/** A text as it can stand in an element or in an attribute. */
export function encodeReferences(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
