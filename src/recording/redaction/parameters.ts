/** Percent-decodes a name or value of a query or form; what cannot be decoded stays as it is. */
export function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
