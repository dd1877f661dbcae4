import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { SimulatedFailure } from '../src/errors.ts'

/** The failures that one request may meet. */
export interface ErrorRule {
  /** Mapped errors in order; the first whose `applies` is true answers. */
  readonly cases?: readonly (Failing & { readonly applies: () => boolean })[]
  /** The step this request takes; called once, and only when no mapped error applied. */
  readonly step?: () => Failing | undefined
  /** The status that this request fails with, where that was decided before. */
  readonly status?: number | undefined
  /** Share of requests that fail, 0 to 1. */
  readonly rate?: number
  /** The statuses that random failures choose from, each as likely as the others. */
  readonly codes?: readonly number[]
}

/** How a request fails. */
export interface Failing {
  readonly status: number
  readonly detail?: unknown
  /** The whole body, in place of one with a `detail`. */
  readonly body?: unknown
}

/** Options of the errors plugin. */
export interface ErrorsOptions {
  readonly rule: (request: FastifyRequest) => ErrorRule | undefined
  /** Draws in [0, 1) that belong to one request. */
  readonly random: (request: FastifyRequest) => () => number
  /** Hears of each failure that was not decided before. */
  readonly note?: (request: FastifyRequest, failure: Failure) => void
}

/** A failure and what asked for it. */
export interface Failure {
  readonly cause: 'mapped error' | 'scenario' | 'error rate'
  readonly status: number
}

const DEFAULT_CODES: readonly number[] = [404, 500]

/** Fails requests on purpose: mapped errors first, then the scenario's step, then random failures. */
export const errors = fp<ErrorsOptions>(
  async (app, { rule, random, note }) => {
    app.addHook('preHandler', (request, _reply, done) => {
      const asked = rule(request)
      if (asked === undefined) return done()
      const fail = (
        cause: Failure['cause'],
        { status, detail, body }: Failing,
        usual = 'Simulated error',
      ): never => {
        note?.(request, { cause, status })
        throw new SimulatedFailure(status, detail ?? usual, body)
      }
      const mapped = asked.cases?.find(({ applies }) => applies())
      if (mapped !== undefined) fail('mapped error', mapped, 'Invalid request')

      const step = asked.step?.()
      if (step !== undefined && step.status !== 200) fail('scenario', step)
      if (asked.status !== undefined) throw new SimulatedFailure(asked.status, 'Simulated error')
      if ((asked.rate ?? 0) <= 0) return done()
      const draw = random(request)
      if (draw() < (asked.rate ?? 0)) {
        const codes = asked.codes === undefined || asked.codes.length === 0 ? DEFAULT_CODES : asked.codes
        fail('error rate', { status: codes[Math.floor(draw() * codes.length)] ?? 500 })
      }
      done()
    })
  },
  { name: 'errors', fastify: '5.x' },
)
