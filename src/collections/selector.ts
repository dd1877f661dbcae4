import { memberAt } from '../engine/schema/member.ts'
import { isObject } from '../engine/schema/schema.ts'
import type { Item } from '../state/store.ts'
import { plainText } from './order-values.ts'

/**
 * Reads a selector as Kubernetes writes them: `app=web,tier!=cache`, `env in (a, b)`, `env notin (a)`, `app` and `!app`.
 * @param kind whether its names are those of labels, or lead to fields such as `metadata.name`
 * @returns tests an item; one that cannot be read keeps all items
 * @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export function readSelector(text: string, kind: 'labels' | 'fields'): (item: Item) => boolean {
  const tests = text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .flatMap((part) => requirementOf(part) ?? [])
  const valueOf = kind === 'labels' ? labelOf : fieldOf
  return (item) => tests.every(({ name, isWanted }) => isWanted(valueOf(item, name)))
}

interface Requirement {
  readonly name: string
  isWanted(value: string | undefined): boolean
}

function requirementOf(text: string): Requirement | undefined {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(text)
  if (set !== null) {
    const values = (set[3] ?? '').split(',').map((value) => value.trim())
    const isIn = set[2] === 'in'
    return {
      name: set[1] ?? '',
      isWanted: (value) => (value !== undefined && values.includes(value)) === isIn,
    }
  }
  const pair = /^([^=!\s]+)\s*(==?|!=)\s*(.*)$/.exec(text)
  if (pair !== null) {
    const isEqual = pair[2] !== '!='
    return { name: pair[1] ?? '', isWanted: (value) => (value === pair[3]) === isEqual }
  }
  const alone = /^(!?)\s*([^=!\s]+)$/.exec(text)
  if (alone === null) return undefined
  return { name: alone[2] ?? '', isWanted: (value) => (value === undefined) === (alone[1] === '!') }
}

function labelOf(item: Item, name: string): string | undefined {
  const labels = memberAt(item, ['metadata', 'labels']) ?? item['labels']
  return isObject(labels) && Object.hasOwn(labels, name) ? plainText(labels[name]) : undefined
}

function fieldOf(item: Item, name: string): string | undefined {
  const value = memberAt(item, name.split('.'))
  return value === undefined || value === null ? undefined : plainText(value)
}
