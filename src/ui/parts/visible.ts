// Control characters, what changes the direction of text, and what is not to be seen at all.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** A text with what would act on a terminal, or hide, made visible. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return character === '\r' ? '' : String.fromCharCode(0x2400 + code)
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}
