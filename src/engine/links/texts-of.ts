import { ModelInvalid } from '../../errors.ts'

/** Reads a link's only argument, a text, from data. @throws ModelInvalid saying what the link takes */
export function textsOf(usage: string): (data: unknown) => [string]
/** Reads the two arguments of a link, which must be texts. */
export function textsOf(usage: string, count: 2): (data: unknown) => [string, string]
export function textsOf(usage: string, count = 1): (data: unknown) => string[] {
  return (data) => {
    const texts: readonly unknown[] = count > 1 && Array.isArray(data) ? data : [data]
    if (texts.length === count && texts.every((text) => typeof text === 'string' && text !== '')) {
      return texts as string[]
    }
    throw new ModelInvalid(usage)
  }
}
