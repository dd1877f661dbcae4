import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { closeConnection, resetConnection, sendGarbage } from './faults/connection.ts'
import { slowBody } from './faults/slow-body.ts'
import { truncateBody } from './faults/truncate-body.ts'

/** What goes wrong with the answer to one request. */
export interface Fault {
  readonly kind: 'reset' | 'empty' | 'truncate' | 'garbage' | 'hang' | 'slow-body'
  /** How fast a slow body comes. */
  readonly bytesPerSecond: number
}

/** Options of the faults plugin. */
export interface FaultsOptions {
  readonly fault: (request: FastifyRequest) => Fault | undefined
  /** Draws in [0, 1) that belong to one request; garbage is made of them. */
  readonly random?: (request: FastifyRequest) => () => number
  readonly sleep?: (ms: number, request: FastifyRequest) => Promise<unknown>
}

const GARBAGE_BYTES = 256

/**
 * Breaks connections on purpose: instead of an answer (`reset`, `empty`, `garbage`, `hang`), or while it is sent
 * (`truncate`, `slow-body`), whoever sends it and however.
 */
export const faults = fp<FaultsOptions>(
  async (app, { fault, random = () => Math.random, sleep = (ms) => wait(ms) }) => {
    const hanging = new Set<ServerResponse>()

    app.addHook('preHandler', (request, reply, done) => {
      const asked = fault(request)
      if (asked !== undefined) meet(asked, request, reply)
      done()
    })
    const meet = (asked: Fault, request: FastifyRequest, reply: FastifyReply): void => {
      const { raw } = reply
      if (asked.kind === 'slow-body') return slowBody(raw, asked.bytesPerSecond, (ms) => sleep(ms, request))
      if (asked.kind === 'truncate') return truncateBody(raw)

      reply.hijack()
      if (asked.kind === 'reset') resetConnection(raw)
      if (asked.kind === 'empty') closeConnection(raw)
      if (asked.kind === 'garbage') sendGarbage(raw, garbage(random(request)))
      if (asked.kind === 'hang') hang(raw, hanging)
    }
    // Who waits for an answer that never comes must not keep the server from closing.
    app.addHook('preClose', async () => {
      for (const response of hanging) closeConnection(response)
    })
  },
  { name: 'faults', fastify: '5.x' },
)

function garbage(draw: () => number): Buffer {
  return Buffer.from(Array.from({ length: GARBAGE_BYTES }, () => Math.floor(draw() * 256)))
}

function hang(response: ServerResponse, hanging: Set<ServerResponse>): void {
  hanging.add(response)
  response.once('close', () => hanging.delete(response))
}
