import { Agent, request as send } from 'undici'
import type { Content, Operation } from './operations.ts'
import type { Request } from './request.ts'
import type { Validate } from './validator.ts'

/** What a server answered. */
export interface Answer {
  readonly status: number
  readonly type: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Sends requests to one server over a few connections. */
export interface Asking {
  ask(request: Request, headers?: Readonly<Record<string, string>>): Promise<Answer>
  close(): Promise<void>
}

export function createAsking(url: string): Asking {
  const dispatcher = new Agent({ connections: 8, bodyTimeout: 60_000, headersTimeout: 60_000 })
  return {
    async ask({ method, path, headers, body }, further = {}) {
      const form = body instanceof FormData ? new Response(body) : undefined
      const formType = form?.headers.get('content-type')
      const answer = await send(`${url}${path}`, {
        method: method as 'GET',
        headers: { ...headers, ...further, ...(formType && { 'content-type': formType }) },
        body:
          form === undefined ? ((body as string | undefined) ?? null) : Buffer.from(await form.arrayBuffer()),
        dispatcher,
      })
      const type = answer.headers['content-type']
      return {
        status: answer.statusCode,
        type: typeof type === 'string' ? type.split(';')[0]?.trim().toLowerCase() : undefined,
        headers: answer.headers,
        body: Buffer.from(await answer.body.arrayBuffer()),
      }
    },
    close: () => dispatcher.close(),
  }
}

/** Runs work for every item, some at a time, and gives the results in the items' order. */
export async function forAll<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  atOnce = 8,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const take = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, take))
  return results
}

/** What is wrong with an answer by the operation's own responses; undefined where nothing is. */
export function problemOf(operation: Operation, answer: Answer, validate: Validate): string | undefined {
  const said = answer.body.toString('utf8')
  const { status } = answer
  const wanted = successesOf(operation)
  const matches = [String(status), `${Math.floor(status / 100)}XX`].find((each) => wanted.includes(each))
  const rule = matches ?? (wanted.includes('default') && status < 400 ? 'default' : undefined)
  if (rule === undefined)
    return `status ${status} where ${wanted.join(', ')} is declared: ${said.slice(0, 400)}`
  if (operation.method === 'HEAD')
    return said === '' ? undefined : 'a body, though only the head was requested'
  return problemOfBody(operation.responses.get(rule) ?? new Map(), answer, said, validate)
}

// What an operation may answer where nothing goes wrong; one that only redirects, or only fails, does just that.
function successesOf({ responses }: Operation): string[] {
  const all = [...responses.keys()].map((status) => status.toUpperCase().replace('DEFAULT', 'default'))
  for (const wanted of [/^2/, /^default$/, /^3/]) {
    const found = all.filter((status) => wanted.test(status))
    if (found.length > 0) return found
  }
  return all
}

/** What is wrong with the body of an answer by one of the operation's responses. */
export function problemOfBody(
  content: Content,
  answer: Answer,
  said: string,
  validate: Validate,
): string | undefined {
  if ([204, 205, 304].includes(answer.status) || content.size === 0) {
    return said === '' ? undefined : `a body where none is declared: ${said.slice(0, 200)}`
  }
  const declared = [...content].find(([type]) =>
    covers(type.split(';')[0]?.trim().toLowerCase() ?? '', answer.type),
  )
  if (declared === undefined) return `type ${answer.type} where ${[...content.keys()].join(', ')} is declared`
  const [, schema] = declared
  if (schema === undefined) return undefined
  if (!/[/+]json$/.test(answer.type ?? '')) return undefined
  try {
    return validate(schema, JSON.parse(said))
  } catch (error) {
    return `${(error as Error).message}: ${said.slice(0, 200)}`
  }
}

function covers(declared: string, type: string | undefined): boolean {
  if (declared === '*/*' || declared === '*') return true
  return declared.endsWith('/*') ? (type ?? '').startsWith(declared.slice(0, -1)) : declared === type
}
