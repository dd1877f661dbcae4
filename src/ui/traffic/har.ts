import type { ShownBody } from '../parts/body-view.tsx'

interface NameValue {
  readonly name: string
  readonly value: string
}

/** A message of an event stream or WebSocket. */
export interface Message {
  readonly number: number
  readonly at_ms: number
  readonly direction: 'sent' | 'received'
  readonly bytes: number
  readonly text?: string
  readonly base64?: string
}

/** An entry of HAR, as the control plane and recordings have it. */
export interface Har {
  readonly startedDateTime: string
  readonly time: number
  readonly timings: { readonly send: number; readonly wait: number; readonly receive: number }
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly NameValue[]
    readonly postData?: {
      readonly mimeType: string
      readonly text?: string
      readonly _encoding?: 'base64'
      readonly _omitted?: string
      readonly _file?: string
    }
  }
  readonly response: {
    readonly status: number
    readonly headers: readonly NameValue[]
    readonly content: {
      readonly mimeType: string
      readonly text?: string
      readonly encoding?: 'base64'
      readonly _omitted?: string
      readonly _file?: string
    }
  }
  readonly _partial?: boolean
  readonly _messages?: readonly Message[]
}

/** The body of the request, if there is one. */
export function requestBodyOf({ request: { postData } }: Har): ShownBody | undefined {
  if (postData === undefined) return undefined
  const { mimeType, text, _encoding, _omitted, _file } = postData
  return {
    mimeType,
    isBase64: _encoding === 'base64',
    omitted: _omitted ?? inFile(_file),
    ...(text !== undefined && { text }),
  }
}

/** The body of the response. */
export function responseBodyOf({ response: { content } }: Har): ShownBody {
  const { mimeType, text, encoding, _omitted, _file } = content
  return {
    mimeType,
    isBase64: encoding === 'base64',
    omitted: _omitted ?? inFile(_file),
    ...(text !== undefined && { text }),
  }
}

function inFile(file: string | undefined): string | undefined {
  return file === undefined ? undefined : `It is in the file ${file} of the recording`
}
