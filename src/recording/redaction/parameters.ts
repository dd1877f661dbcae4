/** Percent-decodes a name or value of a query or form; what cannot be decoded stays as it is. */
export function decodeParameter(text: string): string {
  if (!text.includes('%')) return text.includes('+') ? text.replaceAll('+', ' ') : text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
