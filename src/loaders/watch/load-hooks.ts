import { fileURLToPath } from 'node:url'

/** What the hooks are given when they are registered. */
export interface HooksData {
  /** How often modules were to be loaded again; shared with the thread that asks for it. */
  readonly loads: Int32Array
  /** The directory whose modules stay as they are: this package's own. */
  readonly own: string
}

type Next = (specifier: string, context: unknown) => Promise<{ readonly url: string }>

let data: HooksData | undefined

/** Called by Node when the hooks are registered (Node.js API, `module.register`). */
export function initialize(given: HooksData): void {
  data = given
}

/** Makes Node execute a module again: to Node, the same file under another URL is another module. */
export async function resolve(
  specifier: string,
  context: unknown,
  next: Next,
): Promise<{ readonly url: string }> {
  const found = await next(specifier, context)
  if (data === undefined || !isApp(found.url, data.own)) return found
  return { ...found, url: `${found.url}?load=${Atomics.load(data.loads, 0)}` }
}

function isApp(url: string, own: string): boolean {
  if (!url.startsWith('file:') || url.includes('?') || url.includes('/node_modules/')) return false
  return !fileURLToPath(url).startsWith(own)
}
