import { isObject } from '../engine/schema/schema.ts'
import { type Form, TEXT } from '../pipeline/option.ts'

/** One of some words. */
export function oneOf(words: readonly string[]): Form {
  return {
    check: (value) => (words.includes(value as string) ? undefined : `one of ${words.join(', ')}`),
    schema: { enum: [...words] },
  }
}

/** An object of texts by any names. @param wanted says that for errors */
export function textsBy(wanted: string, each: Form = TEXT): Form {
  return {
    check: (value) =>
      isObject(value) && Object.values(value).every((one) => each.check(one) === undefined)
        ? undefined
        : wanted,
    schema: { type: 'object', additionalProperties: each.schema },
  }
}

/** The form of an object whose members have these forms. */
export function formOf(forms: Readonly<Record<string, Form>>, what: string): Form {
  const names = Object.keys(forms).join(', ')
  return {
    check(value) {
      if (!isObject(value)) return `${what}: ${names}`
      for (const [name, each] of Object.entries(value)) {
        const form = Object.hasOwn(forms, name) ? forms[name] : undefined
        if (form === undefined) return `${what}: ${names}; not ${name}`
        const wanted = form.check(each)
        if (wanted !== undefined) return `${what}, where ${name} is ${wanted}`
      }
      return undefined
    },
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(Object.entries(forms).map(([name, { schema }]) => [name, schema])),
    },
  }
}
