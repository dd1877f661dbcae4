import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
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
  readonly sleep?: (ms: number) => Promise<unknown>
}

/** Holds every request for `ms`, give or take `jitterMs`, before anything answers it. */
export const latency = fp<LatencyOptions>(
  async (app, { rule, random, sleep = wait }) => {
    app.addHook('preHandler', async (request) => {
      const asked = rule(request)
      if (asked === undefined || asked.ms + asked.jitterMs <= 0) return
      const spread = asked.jitterMs === 0 ? 0 : (random(request) * 2 - 1) * asked.jitterMs
      await sleep(Math.max(0, asked.ms + spread))
    })
  },
  { name: 'latency', fastify: '5.x' },
)
