import type { SentRequest } from './request.ts'

/** A shell command that sends a request; it can be copied into any POSIX shell. */
export function curlOf({ method, url, headers, body }: SentRequest): string {
  const parts = [
    `curl -i${/[[\]{}]/.test(url) ? ' --globoff' : ''}${method === 'GET' ? '' : ` -X ${method}`} ${inShell(url)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${inShell(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${inShell(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** A JavaScript expression that sends a request. */
export function fetchOf({ method, url, headers, body }: SentRequest): string {
  const members = [
    ...(method === 'GET' ? [] : [`method: ${inScript(method)}`]),
    ...(Object.keys(headers).length === 0 ? [] : [`headers: { ${membersOf(headers)} }`]),
    ...(body === undefined ? [] : [`body: ${inScript(body)}`]),
  ]
  if (members.length === 0) return `await fetch(${inScript(url)})`
  return `await fetch(${inScript(url)}, {\n${members.map((member) => `  ${member},\n`).join('')}})`
}

function membersOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${inScript(name)}: ${inScript(value)}`)
    .join(', ')
}

// Nothing is special between single quotes but the quote itself (POSIX, Shell Command Language, 2.2.2).
function inShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function inScript(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`
}
