import Fastify from 'fastify'

/** A web app that is not a SimAPI. */
export const web = Fastify()
