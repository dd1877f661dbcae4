import type { HeaderPair } from '../../http/headers.ts'
import type { Replays } from '../../state/replays.ts'
import type { DrawnValues } from './drawn-values.ts'
import type { Drawn } from './drawn-tokens.ts'
import type { Entry } from './exchange-index.ts'
import type { GivenValues, NamingRequest, OtherRequest } from './given-values.ts'
import type { ReplayAnswer } from './recorded-answer.ts'
import type { ReplayCall, ReplayMiss } from './replay-call.ts'

type Found = ReplayAnswer | ReplayMiss

/** How to look up requests. */
interface LookUp {
  /** Finds a request as it is, or as what another one was recorded. */
  find(this: void, call: ReplayCall, session: Replays, other?: Entry): Promise<Found>
  naming(this: void, call: ReplayCall): Promise<NamingRequest>
  /** What the client drew for a request; `undefined` where there is nothing. */
  drawn(this: void, call: ReplayCall): Promise<Drawn | undefined>
}

/**
 * Finds requests that have other values than were recorded: those that the client was given in place of what another
 * client got while it was recorded, and those that it drew itself.
 */
export function findByClientValues(
  lookUp: LookUp,
  given: GivenValues,
  drawn: DrawnValues,
): (call: ReplayCall, session: Replays) => Promise<Found> {
  const findOther = async (
    call: ReplayCall,
    sent: NamingRequest,
    other: OtherRequest,
    session: Replays,
  ): Promise<ReplayAnswer | undefined> => {
    const found = await lookUp.find(callAs(call, sent, other), session)
    if (found.kind === 'answer') return other.answer(found)
    other.release()
    return undefined
  }
  const findGiven = async (call: ReplayCall, session: Replays): Promise<Found> => {
    if (session.exchanged.size() > 0) {
      const sent = await lookUp.naming(call)
      const known = await given.known(sent, session)
      const found = known && (await findOther(call, sent, known, session))
      if (found !== undefined) return found
    }
    const found = await lookUp.find(call, session)
    if (found.kind === 'answer' || session.given.size() === 0) return found
    const sent = await lookUp.naming(call)
    for await (const possible of given.possible(sent, session)) {
      const other = await findOther(call, sent, possible, session)
      if (other !== undefined) return other
    }
    return found
  }
  const findDrawn = async (call: ReplayCall, session: Replays): Promise<ReplayAnswer | undefined> => {
    const own = await lookUp.drawn(call)
    if (own === undefined) return undefined
    for await (const { entry, release } of drawn.possible(own, session)) {
      const found = await lookUp.find(call, session, entry)
      if (found.kind === 'answer') return found
      release()
    }
    return undefined
  }
  return async (call, session) => {
    if (!call.takesDrawn) return findGiven(call, session)
    const sent = session.drawn.size() > 0 ? await lookUp.naming(call) : undefined
    const known = sent === undefined ? call : callAs(call, sent, drawn.known(sent, session))
    const found = await findGiven(known, session)
    const answer = found.kind === 'answer' ? found : await findDrawn(call, session)
    if (answer === undefined) return found
    return session.drawn.size() > 0 ? drawn.answer(answer, session) : answer
  }
}

// A body that is another one has no content coding.
function callAs(call: ReplayCall, sent: NamingRequest, { url, headers, body }: NamingRequest): ReplayCall {
  const named = headers.map(({ name, value }): HeaderPair => [name, value])
  const isOther = body !== sent.body
  return { ...call, url, headers: named, ...(isOther && { contentEncoding: '', body: async () => body }) }
}
