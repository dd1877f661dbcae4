import { METHODS } from 'node:http'
import { addTo } from '../../grouping.ts'
import type { Folded } from './fold-paths.ts'
import { isAnswerable } from './recorded.ts'
import type { Sample } from './sample.ts'

/** Why no route answers what such an exchange was; `undefined` where one does. */
export function reasonToSkip({ method, status, headers }: Sample): string | undefined {
  if (method === 'CONNECT' || !METHODS.includes(method)) return `method ${method}`
  if (method === 'OPTIONS' && 'access-control-request-method' in headers)
    return 'CORS preflight, which is answered from the routes there are'
  return isAnswerable(status) ? undefined : `answers ${status}, which have no answer of their own`
}

/** A path without its HEAD requests, which the route of GET answers, where there is one. */
export function withoutHead(folded: Folded): Folded {
  const { samples } = folded
  if (!samples.some(({ method }) => method === 'GET')) return folded
  return { ...folded, samples: samples.filter(({ method }) => method !== 'HEAD') }
}

/** A path without answers 304, which one that is whole gives, too, where there is one. */
export function withoutUnchanged(folded: Folded, skipped: Map<string, number>): Folded {
  const isUnchanged = ({ status }: Sample): boolean => status === 304
  const whole = new Set(folded.samples.flatMap((each) => (isUnchanged(each) ? [] : [each.method])))
  const samples = folded.samples.filter((each) => !isUnchanged(each) || !whole.has(each.method))
  const left = folded.samples.length - samples.length
  if (left > 0) addTo(skipped, 'answers 304, which follow from those that are whole', left)
  return { ...folded, samples }
}
