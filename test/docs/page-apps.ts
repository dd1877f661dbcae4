import { isDescription } from '../../src/loaders/load-target.ts'
import type { Block } from './markdown.ts'
import type { Workspace } from './workspace.ts'

/** The apps that a page has written, which `sim validate` must accept. */
export interface PageApps {
  /** Notes what is in a file from now on. */
  wrote(file: string, text: string): void
  /** What `sim validate` says of those that it does not accept; empty where it accepts all. @param file only this one */
  findInvalid(file?: string): Promise<string>
  /** How many it has accepted. */
  readonly accepted: number
}

const APP = /^export (?:const (\w+)|default)\b[^=\n]*=?\s*(?:await )?(?:new )?(?:SimAPI|simFrom\w+)\b/gm
const COLLECTION = /getpostman\.com\/json\/collection/
const ROUTES = /^(?:routes:|\{[^{}]*"routes":)/m

/** What of a file `sim validate` takes. */
export function targetsIn(file: string, text: string): readonly string[] {
  if (/\.graphqls?$/.test(file)) return [file]
  if (/\.(?:ya?ml|json)$/.test(file))
    return isDescription(text) || ROUTES.test(text) || COLLECTION.test(text) ? [file] : []
  const names = [...text.matchAll(APP)].map(([, name = 'default']) => name)
  return names.length > 1 ? names.map((name) => `${file}:${name}`) : names.map(() => file)
}

/** Those that a page shows to be wrong: a command that checks one ends with an error. */
function shownWrong(blocks: readonly Block[]): ReadonlySet<string> {
  const checks = blocks.filter(({ notes }) => notes.has('exit'))
  return new Set(
    checks.flatMap(({ text }) => Array.from(text.matchAll(/^sim validate (\S+)/gm), ([, file = '']) => file)),
  )
}

/** @param blocks all of the page */
export function createPageApps(blocks: readonly Block[], { run }: Pick<Workspace, 'run'>): PageApps {
  const wrong = shownWrong(blocks)
  const written = new Map<string, readonly string[]>()
  let accepted = 0
  return {
    get accepted() {
      return accepted
    },
    wrote: (file, text) => void written.set(file, wrong.has(file) ? [] : targetsIn(file, text)),
    async findInvalid(file) {
      const files = file === undefined ? [...written.keys()] : [file]
      const invalid: string[] = []
      for (const each of files) {
        for (const target of written.get(each) ?? []) {
          const { code, shown } = await run(`sim validate ${target}`)
          if (code === 0) accepted++
          else invalid.push(`${target}: ${shown}`)
        }
        written.delete(each)
      }
      return invalid.join('\n')
    },
  }
}
