import { ModelInvalid } from '../../errors.ts'
import { memberAt } from '../schema/member.ts'
import { isObject } from '../schema/schema.ts'
import { defineLink } from './link.ts'

// A function of field values: users write one with the types their fields have.
// eslint-disable-next-line typescript/no-explicit-any
type Compute = (...values: any[]) => unknown

/**
 * A function of sibling fields, which are resolved first, whatever order they are declared in. In data it is a template,
 * a JSON value in whose texts names stand for the values of these fields, or of fields of the input; `data.id`
 * for what is in one of them, `title|slug` for a text as addresses have it, and `email|before @`, `email|after @` and
 * `name|capital` for its parts and with a capital. Where `cases` has the value of the field `by`, that template is the
 * value: `{ by: 'state', cases: [{ equals: 'draft', template: '' }] }`; `null` stands for none.
 */
export const ComputedFrom = defineLink('computedFrom', {
  resolve: (
    { siblings, input },
    fields: readonly string[],
    compute: Compute,
    ofInput: readonly string[] = [],
  ) =>
    compute(
      ...fields.map((field) => valueOf(siblings, field)),
      ...ofInput.map((field) => valueOf(input, field)),
    ),
  siblings: (fields: readonly string[]) => fields,
  inputFields: (_fields: readonly string[], _compute: Compute, ofInput: readonly string[] = []) => ofInput,
  toData: (fields: readonly string[], _compute: Compute, ofInput: readonly string[] = []) => ({
    fields,
    ...(ofInput.length > 0 && { input: ofInput }),
  }),
  fromData(data): [readonly string[], Compute, readonly string[]] {
    if (
      isObject(data) &&
      isNames(data['fields']) &&
      isNames(data['input'] ?? []) &&
      data['template'] !== undefined
    ) {
      const { fields, input = [], template, by, cases = [] } = data as unknown as Computed
      const names = [...fields, ...input]
      const at = by === undefined ? -1 : names.indexOf(by)
      if ((by === undefined || at >= 0) && Array.isArray(cases) && cases.every(isCase))
        return [
          fields,
          (...values: unknown[]) => {
            const own = cases.find(({ equals }) => at >= 0 && equals === (values[at] ?? null))
            return filled(own === undefined ? template : own.template, names, values)
          },
          input,
        ]
    }
    throw new ModelInvalid(
      'computedFrom takes { fields: [<name>, …], template: "{name} …" }, and may have by: <name>, cases: [{ equals, template }, …]',
    )
  },
})

/** What data says of a computed field. */
interface Computed {
  readonly fields: readonly string[]
  readonly input?: readonly string[]
  readonly template: unknown
  readonly by?: string
  readonly cases?: readonly { readonly equals: unknown; readonly template: unknown }[]
}

function isCase(value: unknown): boolean {
  return isObject(value) && Object.keys(value).toSorted().join() === 'equals,template'
}

function valueOf(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

// Only names are substituted; nothing in a template is ever evaluated.
function filled(template: unknown, names: readonly string[], values: readonly unknown[]): unknown {
  if (Array.isArray(template)) return template.map((part: unknown) => filled(part, names, values))
  if (isObject(template))
    return Object.fromEntries(
      Object.entries(template).map(([name, part]) => [name, filled(part, names, values)]),
    )
  if (typeof template !== 'string') return template
  return template.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const [plain = '', ...forms] = name.split('|')
    const index = names.indexOf(plain)
    if (index >= 0 && forms.every(isForm))
      return forms.reduce((text, form) => formed(text, form), textOf(values[index]))
    const [first = '', ...below] = name.split('.')
    const holder = values[names.indexOf(first)]
    return below.length > 0 && isObject(holder) ? textOf(memberAt(holder, below)) : whole
  })
}

/** A text by its name in a template, with the forms that follow it: `mail|after @`. */
export function formedBy(name: string, read: (name: string) => unknown): string | undefined {
  const [plain = '', ...forms] = name.split('|')
  const value = read(plain)
  const isText = typeof value === 'string' || typeof value === 'number'
  return isText && forms.every(isForm) ? forms.reduce(formed, String(value)) : undefined
}

const PART = /^(before|after) ([^\w\s{}|])$/

function isForm(form: string): boolean {
  return form === 'slug' || form === 'capital' || PART.test(form)
}

/** A text in the form that follows its name in a template: `slug`, `capital`, `before @`, `after /`. */
export function formed(text: string, form: string): string {
  if (form === 'slug') return slugOf(text)
  if (form === 'capital') return text.slice(0, 1).toUpperCase() + text.slice(1)
  const [, side, sign = ''] = PART.exec(form) ?? []
  const at = text.indexOf(sign)
  if (at < 0) return side === 'before' ? text : ''
  return side === 'before' ? text.slice(0, at) : text.slice(at + 1)
}

/** A text as addresses have it: in small letters without accents, with hyphens for all that is neither letter nor digit. */
export function slugOf(text: string): string {
  const letters = text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
  return letters.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
