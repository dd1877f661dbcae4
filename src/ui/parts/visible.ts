// Control characters, what changes the direction of text, and what is not to be seen at all.
const HIDDEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]/gu

/** A text with what would act on a terminal, or hide, made visible. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20) return character === '\r' ? '' : String.fromCharCode(0x2400 + code)
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}
