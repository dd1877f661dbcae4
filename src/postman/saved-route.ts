import { createDrawnInput } from '../engine/drawn-input.ts'
import { canonicalText, contentStream } from '../engine/random.ts'
import type { RouteDefinition } from '../engine/route.ts'
import type { SavedAnswer, SavedAnswers } from '../engine/saved-answer.ts'
import { ExampleNotDeclared } from '../errors.ts'
import { jsonResponse, utf8Bytes, type Headers, type HttpResponse } from '../message.ts'
import { readPreferences } from '../openapi/serve/prefer.ts'
import type { Exchange } from '../pipeline/exchange.ts'
import type { Route } from '../pipeline/route.ts'
import { acceptable, mostAlike, wantedOf, type Wanted } from './saved-answers.ts'
import { filled, isDynamic } from './variables.ts'

/** A route that gives the answers which are saved for it, and makes one where none is. */
export function withSavedAnswers(route: Route, definition: RouteDefinition, saved: SavedAnswers): Route {
  const { key } = definition
  const drawnInput = createDrawnInput(definition)
  const choose = (exchange: Exchange): SavedAnswer | undefined => {
    const { headers, match, search, body } = exchange
    const { isDynamic: isMade, ...wanted } = wantedIn(headers)
    const isNamed = Object.values(wanted).some((each) => each !== undefined)
    if (isMade || (!isNamed && !saved.isUsual)) return undefined
    const answers = wantedOf(saved.answers, wanted)
    if (answers.length === 0 && (wanted.name ?? wanted.id) !== undefined)
      throw new ExampleNotDeclared(
        key,
        String(wanted.name ?? wanted.id),
        saved.answers.map(({ name }) => name),
      )
    const { accept } = headers
    const fitting = accept === undefined ? answers : acceptable(answers, [accept].flat().join(','))
    // What is named is given whatever its type.
    const able = fitting.length === 0 && isNamed ? answers : fitting
    return mostAlike(able, {
      params: match?.params ?? {},
      query: [...new URLSearchParams(search)],
      headers,
      body,
    })
  }
  return {
    ...route,
    handlerFor(session) {
      const handle = route.handlerFor(session)
      return (exchange) => {
        const answer = choose(exchange)
        if (answer === undefined) return handle(exchange)
        exchange.source = 'engine'
        if (!isDynamic(answer.body)) return responseOf(answer, answer.body)
        const stream = contentStream(session.seed, `${key} ${answer.name}`).childOf(
          canonicalText(drawnInput(exchange.input)),
        )
        return responseOf(
          answer,
          filled(answer.body, () => stream.next(), session.clock.now()),
        )
      }
    },
  }
}

// By the header of RFC 7240, or by those of Postman's mock servers.
function wantedIn(headers: Headers): Wanted & { readonly isDynamic: boolean } {
  const { code, example, dynamic } = readPreferences(headers)
  const text = (name: string): string | undefined => [headers[name]].flat()[0]
  return {
    code: text('x-mock-response-code') ?? code,
    name: text('x-mock-response-name') ?? example,
    id: text('x-mock-response-id'),
    isDynamic: dynamic === true,
  }
}

function responseOf({ status, headers }: SavedAnswer, body: string): HttpResponse {
  const flat = headers.flatMap(([name, value]) => [name.toLowerCase(), value])
  if (body === '') return { status, headers: flat }
  const bytes = utf8Bytes(body)
  return flat.includes('content-type')
    ? { status, headers: flat, body: bytes }
    : jsonResponse(status, bytes, flat)
}
