/** The parts of a pattern: escapes and names as a whole, ranges, and single signs. */
const PARTS =
  /\\(?:u\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[A-Za-z]|.)|\(\?<\w+>|[A-Za-z]-[A-Za-z]|./gs

/** A pattern that takes small letters for capital ones and the reverse, as the flag `i` has it for letters of ASCII. */
export function ignoringCase(pattern: string): string {
  let inClass = false
  const both = (letter: string): string => `${letter.toLowerCase()}${letter.toUpperCase()}`
  const single = (sign: string): string =>
    /[A-Za-z]/.test(sign) ? (inClass ? both(sign) : `[${both(sign)}]`) : sign
  return pattern.replaceAll(PARTS, (part) => {
    if (part === '[') inClass = true
    else if (part === ']') inClass = false
    if (part.length === 1) return single(part)
    if (!/^[A-Za-z]-[A-Za-z]$/.test(part)) return part
    return inClass ? part.toLowerCase() + part.toUpperCase() : part.split('').map(single).join('')
  })
}
