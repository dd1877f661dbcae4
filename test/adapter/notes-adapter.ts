import { type AdapterDefinition, AdapterFault, reply } from 'sim-gateway/adapter'

export interface Note {
  readonly id: string
  readonly text: string
}

export interface NotesState {
  readonly notes: Map<string, Note>
  revision: number
}

export interface NotesFixture {
  readonly version: 1
  readonly notes: readonly Note[]
}

const facts = { family: 'notes', version: '1', documentation: 'https://notes.example/docs' } as const

/** A small adapter that has something of everything. */
export const notes: AdapterDefinition<NotesState, NotesFixture> = {
  name: 'sim-notes',
  title: 'Notes',
  packageVersion: '0.1.0',
  documentedAt: '2026-01-01',
  source: 'https://notes.example/docs',
  manifestPath: '/.well-known/notes.json',
  defaultPort: 8799,
  environment: { host: 'SIM_NOTES_HOST', token: 'SIM_NOTES_TOKEN' },
  requestIdHeader: 'X-Request-Id',
  openPaths: ['/v1/status'],
  bodyLimit: 1024,
  fixture: {
    version: 1,
    starter: new URL('starter.yaml', import.meta.url),
    schema: {
      type: 'object',
      required: ['version', 'notes'],
      properties: {
        version: { const: 1 },
        notes: {
          type: 'array',
          items: {
            type: 'object',
            required: ['id', 'text'],
            properties: { id: { type: 'string' }, text: { type: 'string' } },
          },
        },
      },
    },
    check({ notes }, report) {
      const seen = new Set<string>()
      for (const [index, { id }] of notes.entries()) {
        if (seen.has(id)) report(['notes', index, 'id'], `the id '${id}' comes twice`)
        seen.add(id)
      }
    },
  },
  createState: ({ fixture }) => ({
    notes: new Map(fixture.notes.map((note) => [note.id, note])),
    revision: 0,
  }),
  snapshot: ({ notes, revision }) => ({ notes: [...notes.values()], revision }),
  restoreState(snapshot) {
    const { notes, revision } = snapshot as { notes: Note[]; revision: number }
    return { notes: new Map(notes.map((note) => [note.id, note])), revision }
  },
  toAnswer: (failure, { requestId }) => ({
    status: STATUS[failure.kind] ?? ('status' in failure ? failure.status : 500),
    ...('retryAfterSeconds' in failure && {
      headers: { 'retry-after': String(failure.retryAfterSeconds) },
    }),
    body: { ...failure, ...('error' in failure && { error: String(failure.error) }), requestId },
  }),
  operations: [
    {
      ...facts,
      id: 'listNotes',
      method: 'GET',
      path: '/v1/notes',
      aliases: ['/v0/notes'],
      support: 'exact',
      supports: ['size', 'token'],
      limits: { maxSize: 2 },
      scopes: ['notes:read'],
      tests: [],
      handle({ state, query, pages }) {
        const size = Math.min(2, Number(query.get('size') ?? 2))
        const token = query.get('token')
        const expected = { parameters: { size }, revision: state.revision }
        const from = token === null ? 0 : Number(pages.decode(token, expected).position)
        const all = [...state.notes.values()]
        const next = from + size
        return {
          notes: all.slice(from, next),
          ...(next < all.length && { token: pages.encode({ ...expected, position: next }) }),
        }
      },
    },
    {
      ...facts,
      id: 'getNote',
      method: 'GET',
      path: '/v1/notes/{note}',
      support: 'exact',
      scopes: ['notes:read'],
      tests: [],
      resource: ({ params }) => `notes/${params['note']}`,
      handle: ({ state, params }) => state.notes.get(params['note'] ?? '') ?? missing(params['note'] ?? ''),
    },
    {
      ...facts,
      id: 'putNote',
      method: 'PUT',
      path: '/v1/notes/{note}',
      support: 'exact',
      scopes: ['notes:write'],
      sideEffects: ['keeps the note'],
      tests: [],
      handle({ state, params, body }) {
        const { text } = (body() ?? {}) as { text?: unknown }
        const note = { id: params['note'] ?? '', text: String(text) }
        const status = state.notes.has(note.id) ? 200 : 201
        state.notes.set(note.id, note)
        state.revision++
        return reply({ status, headers: { etag: String(state.revision) }, body: note })
      },
    },
    {
      ...facts,
      id: 'crash',
      method: 'POST',
      path: '/v1/crash',
      support: 'stub',
      tests: [],
      handle() {
        throw new TypeError('a fault of the handler')
      },
    },
    { ...facts, id: 'share', method: 'POST', path: '/v1/share', support: 'unsupported', tests: [] },
    {
      ...facts,
      id: 'status',
      method: 'GET',
      path: '/v1/status',
      support: 'stub',
      tests: [],
      handle: ({ requestId, clock }) => ({ requestId, now: clock.now() }),
    },
  ],
}

const STATUS: Readonly<Record<string, number>> = {
  'unknown-path': 404,
  'method-not-allowed': 405,
  unimplemented: 501,
  'no-credentials': 401,
  'bad-credentials': 401,
  'missing-scope': 403,
  denied: 403,
  'malformed-body': 400,
  'body-too-large': 413,
  'page-token': 400,
  throttled: 429,
}

function missing(id: string): never {
  throw new AdapterFault({ status: 404, body: { kind: 'no-note', id } })
}
