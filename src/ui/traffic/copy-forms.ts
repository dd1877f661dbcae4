import type { Har } from './har.ts'

/** The forms in which a request can be taken elsewhere. */
export const COPY_FORMS: Readonly<Record<string, (har: Har, route: string | undefined) => string>> = {
  curl,
  fetch: fetchCall,
  HAR: (har) =>
    JSON.stringify(
      { log: { version: '1.2', creator: { name: 'sim', version: '1' }, entries: [har] } },
      null,
      2,
    ),
  route,
  test,
}

// What belongs to one connection, or is added by whoever sends.
const OWN = /^(host|connection|content-length|accept-encoding|transfer-encoding|keep-alive|te|upgrade)$/i

function headersOf({ request }: Har): readonly (readonly [string, string])[] {
  return request.headers.filter(({ name }) => !OWN.test(name)).map(({ name, value }) => [name, value])
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function curl(har: Har): string {
  const { method, url, postData } = har.request
  const isBinary = postData?._encoding === 'base64'
  const parts = [
    isBinary
      ? `printf %s ${quoted(postData.text ?? '')} | base64 -d | curl -X ${method} ${quoted(url)}`
      : `curl -X ${method} ${quoted(url)}`,
    ...headersOf(har).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(postData?.text === undefined
      ? []
      : [isBinary ? '--data-binary @-' : `--data-raw ${quoted(postData.text)}`]),
  ]
  return parts.join(' \\\n  ')
}

function fetchCall(har: Har): string {
  const { method, url, postData } = har.request
  const body =
    postData?.text === undefined
      ? undefined
      : postData._encoding === 'base64'
        ? `Uint8Array.from(atob(${JSON.stringify(postData.text)}), (each) => each.charCodeAt(0))`
        : JSON.stringify(postData.text)
  const lines = [
    `  method: ${JSON.stringify(method)},`,
    `  headers: ${JSON.stringify(headersOf(har))},`,
    ...(body === undefined ? [] : [`  body: ${body},`]),
  ]
  return `await fetch(${JSON.stringify(url)}, {\n${lines.join('\n')}\n})`
}

function route(har: Har, known: string | undefined): string {
  const { method, url } = har.request
  const { status, content } = har.response
  const [, path = new URL(url).pathname] = /^\S+ [^/\s]*(\/[^#\s]*)/.exec(known ?? '') ?? []
  const value = jsonIn(content.text)
  const output = value === undefined ? '' : `\n  output: { const: ${indented(value, content.text)} },`
  return `api.route(${JSON.stringify(method)}, ${JSON.stringify(path)}, {\n  status: ${status},${output}\n})`
}

function test(har: Har): string {
  const { method, url } = har.request
  const { status, content } = har.response
  const value = jsonIn(content.text)
  const call = fetchCall(har).replace(JSON.stringify(url), `new URL(${JSON.stringify(pathOf(url))}, baseUrl)`)
  return [
    `import { expect, it } from 'vitest'`,
    '',
    `it(${JSON.stringify(`${method} ${new URL(url).pathname} answers ${status}`)}, async () => {`,
    `  const baseUrl = process.env.SIM_URL ?? ${JSON.stringify(new URL(url).origin)}`,
    `  const response = ${call.replaceAll('\n', '\n  ')}`,
    `  expect(response.status).toBe(${status})`,
    value === undefined
      ? `  expect(await response.text()).toBe(${JSON.stringify(content.text ?? '')})`
      : `  expect(await response.json()).toEqual(${indented(value, content.text)})`,
    '})',
  ].join('\n')
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

const MAX_INDENTED = 100_000
const MAX_INDENTED_DEPTH = 50

// What is large or deep stays as it came: indented it would be many times as long.
function indented(value: unknown, text = ''): string {
  if (text.length > MAX_INDENTED || isDeep(value, MAX_INDENTED_DEPTH)) return text
  return JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')
}

function isDeep(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return levels === 0 || Object.values(value).some((each) => isDeep(each, levels - 1))
}
