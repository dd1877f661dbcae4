import type { HttpRequest } from '../message.ts'

// Input models are JSON Schemas: what a predicate reads is checked when the request is, not by the compiler.
// eslint-disable-next-line typescript/no-explicit-any
type ValidatedInput = any

/** A mapped error: answers instead of the model when `when` is true of the validated input and the request. */
export interface ErrorCase {
  readonly when: (input: ValidatedInput, request: HttpRequest) => boolean
  /** Any status but 422, which is kept for input that does not fit its model. */
  readonly status: number
  /** Any JSON value; becomes the body's `detail`. Default: `Invalid request`. */
  readonly detail?: unknown
  /** Any JSON value; becomes the body, in place of one with a `detail`. */
  readonly body?: unknown
  /** A text; becomes the body as it is, in place of one of JSON. */
  readonly text?: string
  /** The media type of `text`. Default: `text/plain; charset=utf-8`. */
  readonly type?: string
}

/** Declares a mapped error. */
export function ErrorCase(options: ErrorCase): ErrorCase {
  return options
}

/** One step of a status sequence: step n answers the n-th request, the last step all that follow. */
export interface ScenarioStep {
  /** 200 goes on to the ordinary answer; any other status ends the request. */
  readonly status: number
  /** Any JSON value; becomes the body's `detail`. Default: `Simulated error`. */
  readonly detail?: unknown
  /** Any JSON value; becomes the body, in place of one with a `detail`. */
  readonly body?: unknown
}

/** Declares a step of a scenario. */
export function ScenarioStep(options: ScenarioStep): ScenarioStep {
  return options
}
