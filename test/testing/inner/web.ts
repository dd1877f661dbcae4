import Fastify from 'fastify'

/** A web app that is no SimAPI. */
export const web = Fastify()
