/** What is written in place of a secret. An empty value is no secret and stays, so that its absence can be seen. */
export function hide(value: string): string {
  return value === '' ? '' : '[redacted]'
}
