import { ModelInvalid } from '../../errors.ts'
import { isObject } from '../schema/schema.ts'

/** What each option of a fixture link must be. `path` and `pointer` must be there. */
export type FixtureForm = Readonly<Record<string, (value: unknown) => boolean>>

/** A fixture link's options from data. @throws ModelInvalid saying what the link takes */
export function readFixtureOptions(data: unknown, form: FixtureForm, usage: string): Record<string, unknown> {
  if (!isObject(data)) throw new ModelInvalid(usage)
  const strange = Object.entries(data).find(([name, value]) => {
    const fits = Object.hasOwn(form, name) ? form[name] : undefined
    return fits?.(value) !== true
  })
  if (strange !== undefined) {
    const [name, value] = strange
    const wrong = Object.hasOwn(form, name) ? `${name} cannot be ${JSON.stringify(value)}` : `not ${name}`
    throw new ModelInvalid(`${usage}; ${wrong}`)
  }
  if (data['path'] === undefined || data['pointer'] === undefined) throw new ModelInvalid(usage)
  return data
}

export function isText(value: unknown): boolean {
  return typeof value === 'string'
}

export function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isText)
}

export function isFlag(value: unknown): boolean {
  return typeof value === 'boolean'
}
