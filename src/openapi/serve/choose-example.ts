import { ExampleNotDeclared } from '../../errors.ts'
import { createChecker } from '../../engine/schema/checker.ts'
import { holdsLink } from '../../engine/schema/linked.ts'
import { createResolver } from '../../engine/schema/schema.ts'
import { mediaKindOf } from '../../media-type.ts'
import type { Example, MediaType } from '../../engine/operation.ts'

/** The examples of one form of a body, as answers use them. */
export interface Examples {
  /** The first that fits the model; `undefined` where none does, and where the model has links to follow. */
  readonly usual: Example | undefined
  /** @throws ExampleNotDeclared naming the examples there are */
  named(name: string): Example
}

/** Reads the examples of one form of a body. Each is checked once. */
export function createExamples(type: string, media: MediaType, route: string): Examples {
  const { model, examples } = media
  const follows = examples.length > 0 && model !== undefined && holdsLink(model, createResolver(model))
  const fitting = readExamples(type, media)

  return {
    usual: follows ? undefined : fitting.find((example) => example !== undefined),
    named(name) {
      const index = examples.findIndex((example) => example.name === name)
      const example = fitting[index] ?? examples[index]
      if (example !== undefined) return example
      throw new ExampleNotDeclared(
        route,
        name,
        examples.map((each) => each.name),
      )
    },
  }
}

// Apart from what is kept, so that the validator, which is large, is not kept with it.
function readExamples(type: string, { model, examples }: MediaType): (Example | undefined)[] {
  const isText = mediaKindOf(type) !== 'json'
  const checker = model === undefined ? undefined : createChecker(model)
  const fits = (value: unknown): boolean => checker?.fits(value) ?? true
  return examples.map((example) => {
    const { name, value } = example
    if (fits(value) || (isText && typeof value === 'string')) return example
    // An example of a document is often written as its text.
    const parsed = typeof value === 'string' ? parsedJson(value) : undefined
    return parsed !== undefined && fits(parsed) ? { name, value: parsed } : undefined
  })
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
