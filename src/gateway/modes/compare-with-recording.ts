import { bodyForm } from '../../recording/match.ts'
import { headerValue } from '../../recording/har.ts'
import type { Observed } from './observe.ts'
import type { ReplayAnswer, ReplayMiss } from './replayer.ts'

/** How an answer differs from the recorded one. A request that was not recorded is told as such. */
export function compareWithRecording(
  recorded: ReplayAnswer | ReplayMiss | undefined,
  { head, body }: Observed,
): string[] {
  if (recorded?.kind !== 'answer') return ['neither declared nor recorded']
  const [was, is] = [typeOf(recorded.headers), typeOf(head.headers)]
  // What is too long to be kept is not compared.
  const wasBody = Buffer.isBuffer(recorded.body) ? bodyForm(recorded.body, was) : undefined
  const isSame = body === undefined || wasBody === undefined || bodyForm(body, is) === wasBody
  return [
    ...(head.status === recorded.status ? [] : [`status ${head.status} instead of ${recorded.status}`]),
    ...(is === was ? [] : [`content-type '${is}' instead of '${was}'`]),
    ...(isSame ? [] : ['the body']),
  ]
}

function typeOf(headers: Observed['head']['headers']): string {
  return headerValue(headers, 'content-type')
}
