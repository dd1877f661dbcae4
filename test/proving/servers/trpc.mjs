// A tRPC server of notes and their labels, as apps that are made with it are.
import { randomUUID } from 'node:crypto'
import { initTRPC, TRPCError } from '@trpc/server'
import { createHTTPServer } from '@trpc/server/adapters/standalone'
import { z } from 'zod'

const t = initTRPC.context().create()
const signedIn = t.procedure.use(({ ctx, next }) => {
  if (ctx.user === undefined) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Sign in first' })
  return next({ ctx: { user: ctx.user } })
})

const draft = z.object({
  title: z.string().min(1).max(40),
  text: z.string().default(''),
  projectId: z.number().int(),
})

/** @param {{ now?: () => string }} [options] */
function createRouter() {
  const projects = new Map()
  const notes = new Map()
  const labels = new Map()
  let projectIds = 0
  const found = (store, id, what) => {
    const item = store.get(id)
    if (item === undefined) throw new TRPCError({ code: 'NOT_FOUND', message: `No ${what} with id '${id}'` })
    return item
  }
  return t.router({
    health: t.procedure.query(() => ({ ok: true, version: '1.4.0' })),
    project: t.router({
      create: signedIn.input(z.object({ name: z.string().min(1) })).mutation(({ input, ctx }) => {
        const isTaken = [...projects.values()].some(({ name }) => name === input.name)
        if (isTaken)
          throw new TRPCError({ code: 'CONFLICT', message: `Project ${input.name} is there already` })
        const project = { id: ++projectIds, ...input, owner: ctx.user, isArchived: false }
        projects.set(project.id, project)
        return project
      }),
      list: signedIn.query(() => [...projects.values()]),
      byId: signedIn
        .input(z.object({ id: z.number().int() }))
        .query(({ input }) => found(projects, input.id, 'project')),
      archive: signedIn.input(z.object({ id: z.number().int() })).mutation(({ input }) => {
        const project = found(projects, input.id, 'project')
        project.isArchived = true
        return project
      }),
    }),
    note: t.router({
      create: signedIn.input(draft).mutation(({ input, ctx }) => {
        found(projects, input.projectId, 'project')
        const now = new Date().toISOString()
        const note = {
          id: randomUUID(),
          ...input,
          author: ctx.user,
          status: 'open',
          createdAt: now,
          updatedAt: now,
        }
        notes.set(note.id, note)
        return note
      }),
      list: signedIn
        .input(
          z
            .object({
              projectId: z.number().int().optional(),
              status: z.string().optional(),
              limit: z.number().int().optional(),
              cursor: z.number().int().optional(),
            })
            .optional(),
        )
        .query(({ input = {} }) => {
          const { projectId, status, limit = 10, cursor = 0 } = input
          const all = [...notes.values()].filter(
            (note) =>
              (projectId === undefined || note.projectId === projectId) &&
              (status === undefined || note.status === status),
          )
          const items = all.slice(cursor, cursor + limit)
          const next = cursor + items.length
          return { items, total: all.length, nextCursor: next < all.length ? next : null }
        }),
      byId: signedIn.input(z.string()).query(({ input }) => found(notes, input, 'note')),
      update: signedIn
        .input(
          z.object({
            id: z.string(),
            title: z.string().optional(),
            text: z.string().optional(),
            status: z.enum(['open', 'done']).optional(),
          }),
        )
        .mutation(({ input: { id, ...changes } }) =>
          Object.assign(found(notes, id, 'note'), changes, { updatedAt: new Date().toISOString() }),
        ),
      delete: signedIn.input(z.string()).mutation(({ input }) => {
        found(notes, input, 'note')
        notes.delete(input)
        labels.delete(input)
        return { deleted: true }
      }),
      count: signedIn.query(() => notes.size),
    }),
    label: t.router({
      add: signedIn.input(z.object({ noteId: z.string(), name: z.string() })).mutation(({ input }) => {
        found(notes, input.noteId, 'note')
        labels.set(input.noteId, [...new Set([...(labels.get(input.noteId) ?? []), input.name])])
        return null
      }),
      list: signedIn
        .input(z.object({ noteId: z.string() }))
        .query(({ input }) => labels.get(input.noteId) ?? []),
    }),
  })
}

export function createTrpcServer() {
  return createHTTPServer({
    router: createRouter(),
    basePath: '/trpc/',
    createContext: ({ req }) => ({
      user: /^Bearer token-of-(\w+)$/.exec(req.headers.authorization ?? '')?.[1],
    }),
  })
}
