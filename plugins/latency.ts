import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'

/** How long a request is held. */
export interface LatencyRule {
  readonly ms: number
  /** The time varies by up to this much, both ways. */
  readonly jitterMs: number
}

/** Options of the latency plugin. */
export interface LatencyOptions {
  readonly rule: (request: FastifyRequest) => LatencyRule | undefined
  /** A draw in [0, 1) for one request. */
  readonly random: (request: FastifyRequest) => number
  /** Waits, or rejects when the signal says that the client has left. */
  readonly sleep?: (ms: number, request: FastifyRequest, signal: AbortSignal) => Promise<unknown>
}

/** Holds every request for `ms`, give or take `jitterMs`, before anything answers it. */
export const latency = fp<LatencyOptions>(
  async (app, { rule, random, sleep = (ms, _request, signal) => wait(ms, undefined, { signal }) }) => {
    app.addHook('preHandler', (request, reply, proceed) => {
      const asked = rule(request)
      if (asked === undefined || asked.ms + asked.jitterMs <= 0) return proceed()
      const spread = asked.jitterMs === 0 ? 0 : (random(request) * 2 - 1) * asked.jitterMs
      const wake = untilLeft(reply, (signal) => sleep(Math.max(0, asked.ms + spread), request, signal))
      wake.then(() => proceed(), proceed)
    })
  },
  { name: 'latency', fastify: '5.x' },
)

async function untilLeft(
  reply: FastifyReply,
  sleep: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const left = new AbortController()
  const leave = (): void => left.abort()
  reply.raw.once('close', leave)
  try {
    await sleep(left.signal)
  } catch (error) {
    // Nobody is there to hear an answer.
    if (left.signal.aborted) reply.hijack()
    else throw error
  } finally {
    reply.raw.off('close', leave)
  }
}
