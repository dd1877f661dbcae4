import { TEXT, whole } from '../pipeline/option.ts'

const WRITTEN = {
  body: { description: 'The body as JSON.' },
  text: { type: 'string', description: 'The body as a text.' },
  base64: { type: 'string', description: 'The bytes of the body.' },
}
/** An answer that a route knows for one request, in files. */
export const KNOWN_ANSWER = {
  type: 'object',
  additionalProperties: false,
  required: ['when', 'status'],
  properties: {
    when: {
      type: 'object',
      additionalProperties: false,
      required: ['url'],
      properties: {
        url: { type: 'string', description: 'Path and query.' },
        method: { type: 'string', description: "Default: the route's." },
        type: { type: 'string', description: 'The Content-Type. Default: JSON where there is a body.' },
        headers: { type: 'object', additionalProperties: { type: ['string', 'array'], items: TEXT.schema } },
        user: { type: 'object', description: 'Fields of the user who has to be logged in.' },
        stored: { description: 'What had become of what the path names.' },
        ...WRITTEN,
      },
    },
    after: { type: 'string', description: 'What was changed before it. Default: anything.' },
    status: whole(200, 599, 'a status').schema,
    headers: { type: 'object', additionalProperties: { type: ['string', 'array'], items: TEXT.schema } },
    ...WRITTEN,
  },
}
