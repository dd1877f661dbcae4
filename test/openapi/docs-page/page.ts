import { runInNewContext } from 'node:vm'
import { docsPage } from '../../../src/openapi/docs-page/docs-page.ts'

/** As much of a browser's element as the page's script uses. */
export class FakeElement {
  readonly tag: string
  readonly attributes = new Map<string, string>()
  readonly children: (FakeElement | string)[] = []
  value = ''
  readonly #listeners = new Map<string, () => unknown>()

  constructor(tag: string) {
    this.tag = tag
  }

  get textContent(): string {
    return this.children.map((child) => (typeof child === 'string' ? child : child.textContent)).join('')
  }

  set textContent(text: string) {
    this.replaceChildren(text)
  }

  append(...children: readonly (FakeElement | string)[]): void {
    this.children.push(...children)
  }

  after(...siblings: readonly (FakeElement | string)[]): void {
    this.children.push(...siblings)
  }

  replaceChildren(...children: readonly (FakeElement | string)[]): void {
    this.children.splice(0, this.children.length, ...children)
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value)
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null
  }

  addEventListener(event: string, act: () => unknown): void {
    const before = this.#listeners.get(event)
    this.#listeners.set(event, () => [before?.(), act()].at(-1))
  }

  /** Lets an event happen, and waits for what it starts. */
  async fire(event: string): Promise<void> {
    await this.#listeners.get(event)?.()
  }

  /** All elements below this one that have a tag. */
  all(tag: string): FakeElement[] {
    return this.children.flatMap((child) => {
      if (typeof child === 'string') return []
      return child.tag === tag ? [child, ...child.all(tag)] : child.all(tag)
    })
  }

  /** The control that a label names. */
  control(label: string): FakeElement | undefined {
    const found = this.all('label').find(({ textContent }) => textContent === label)
    const controls = [...this.all('input'), ...this.all('textarea')]
    return controls.find((each) => each.getAttribute('id') === found?.getAttribute('for'))
  }
}

/** A page in a browser that is none, after its script has run. */
export interface FakePage {
  readonly document: { title: string }
  readonly elements: Readonly<Record<'title' | 'settings' | 'operations', FakeElement>>
  readonly operations: FakeElement
  readonly copied: string[]
  readonly selected: FakeElement[]
}

interface FakeResponse {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  json(): Promise<unknown>
  text(): Promise<string>
}

/** A response to one of the page's requests. */
export function respond(status: number, body: unknown, statusText = ''): FakeResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return {
    ok: status < 400,
    status,
    statusText,
    headers: new Headers({ 'x-own': 'yes' }),
    json: async () => JSON.parse(text) as unknown,
    text: async () => text,
  }
}

/** Runs the page's script with a stand-in for the browser. */
export async function openPage(
  fetch: (url: string, options?: object) => Promise<FakeResponse>,
  { url = 'http://sim.test/docs', hasClipboard = true } = {},
): Promise<FakePage> {
  const body = new FakeElement('body')
  body.setAttribute('data-document', '/openapi.json')
  const elements = {
    title: new FakeElement('h1'),
    settings: new FakeElement('div'),
    operations: new FakeElement('main'),
  }
  const [copied, selected]: [string[], FakeElement[]] = [[], []]
  const document = {
    title: '',
    body,
    createElement: (tag: string) => new FakeElement(tag),
    getElementById: (id: keyof typeof elements) => elements[id],
  }
  const clipboard = { writeText: async (text: string) => void copied.push(text) }
  await runInNewContext(
    scriptOf(docsPage('/openapi.json'))
      .replace('(() =>', '(async () =>')
      .replace(/start\(\)\n\}\)\(\)$/, 'await start() })()'),
    {
      document,
      fetch,
      location: { href: url },
      navigator: hasClipboard ? { clipboard } : {},
      getSelection: () => ({ selectAllChildren: (element: FakeElement) => selected.push(element) }),
      URL,
      URLSearchParams,
      performance,
    },
  )
  return { document, elements, operations: elements.operations, copied, selected }
}

/** The script of a page. */
export function scriptOf(html: string): string {
  return /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? ''
}

/** Functions of a part of the page's script, by name. */
export function functionsOf<Functions>(
  script: string,
  names: readonly (keyof Functions & string)[],
): Functions {
  return runInNewContext(`(() => {${script}; return { ${names.join(', ')} } })()`, {
    URL,
    URLSearchParams,
  }) as Functions
}
