import { defineOperation, fields } from './operation.ts'

/** The declared routes. */
export const routes = defineOperation(
  'GET',
  '/routes',
  {
    scope: { reads: ['counts'] },
    tag: 'gateway',
    summary: 'The declared routes',
    output: {
      type: 'array',
      items: fields({
        route: { type: 'string' },
        method: { type: 'string' },
        path: { type: 'string' },
        host: { type: 'string' },
        when: {
          description: 'What distinguishes its requests from those of other routes with this method and path',
        },
        summary: { type: 'string' },
        source: {
          enum: ['declared', 'description', 'collection', 'graphql'],
          description:
            'What it comes from: a module or route file, an API description, a collection or a schema',
        },
        requests: { type: 'integer', description: 'How many requests it had in this session' },
      }),
    },
  },
  (_input, { engine, session }) =>
    Promise.all(
      engine.routes.map(async ({ key, method, path, options, operation, saved, graphql }) => ({
        route: key,
        method,
        path,
        ...(options.host !== undefined && { host: options.host }),
        ...(options.when !== undefined && { when: options.when }),
        ...(options.summary !== undefined && { summary: options.summary }),
        source:
          graphql !== undefined
            ? 'graphql'
            : saved !== undefined
              ? 'collection'
              : operation !== undefined
                ? 'description'
                : 'declared',
        requests: await session.requestCounts.count(key),
      })),
    ),
)
