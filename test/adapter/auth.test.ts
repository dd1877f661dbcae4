import { createAdapter, type AuthOptions, type AuthMode, type DenialQuestion } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { notes } from './notes-adapter.ts'

async function ask(
  auth: AuthMode | AuthOptions,
  authorization?: string,
  path = '/v1/notes/a',
  method = 'GET',
) {
  const headers = authorization === undefined ? {} : { authorization }
  const body = method === 'PUT' ? JSON.stringify({ text: 'x' }) : null
  const answer = await createAdapter(notes, { auth }).fetch(path, { method, headers, body })
  return { status: answer.status, text: await answer.text() }
}

const tokens = [
  { token: 'all' },
  { token: 'reader', scopes: ['notes:read'], grants: ['notes/a', 'notes/b*'] },
  { token: 'star', scopes: ['*'], grants: [] },
]
const strict = { mode: 'strict', tokens } as const

describe('credentials', () => {
  it.for([undefined, 'Bearer x', 'Basic eDp5', 'Bearer', ''])(
    'are ignored when disabled: %s',
    async (header) => {
      expect((await ask('disabled', header)).status).toBe(200)
    },
  )

  it.for([
    [undefined, 200],
    ['Bearer anything', 200],
    ['bearer a.b-c_d~e+f/g==', 200],
    ['Bearer', 401],
    ['Bearer two words', 401],
    ['Bearer ü', 401],
    ['Basic eDp5', 401],
  ] as const)('are optional otherwise: %s gives %i', async ([header, status]) => {
    const encoded = header === undefined ? undefined : Buffer.from(header).toString('latin1')
    expect((await ask('optional', encoded)).status).toBe(status)
  })

  it.for([
    [undefined, 401, 'no-credentials'],
    ['Bearer wrong', 401, 'bad-credentials'],
    ['Basic eDp5', 401, 'bad-credentials'],
    ['Bearer all', 200, 'first'],
    ['Bearer reader', 200, 'first'],
    ['Bearer star', 403, 'denied'],
  ] as const)('must be declared when strict: %s gives %i', async ([header, status, text]) => {
    const answer = await ask(strict, header)
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(text)
  })

  it('need the scopes of the operation', async () => {
    expect(await ask(strict, 'Bearer reader', '/v1/notes/a', 'PUT')).toMatchObject({
      status: 403,
      text: expect.stringContaining('"scope":"notes:write"') as string,
    })
    expect((await ask(strict, 'Bearer all', '/v1/notes/a', 'PUT')).status).toBe(200)
  })

  it('need a grant for the resource of the operation', async () => {
    const denied = await ask(strict, 'Bearer reader', '/v1/notes/c')
    expect(denied.status).toBe(403)
    expect(denied.text).toContain('"resource":"notes/c"')
    expect((await ask(strict, 'Bearer reader', '/v1/notes/b')).status).toBe(200)
  })

  it('are not needed on open paths', async () => {
    expect((await ask(strict, undefined, '/v1/status')).status).toBe(200)
    expect((await ask(strict, 'Bearer wrong', '/v1/status')).status).toBe(200)
  })

  it('never come back in an answer', async () => {
    for (const header of ['Bearer sEcReT', 'Basic sEcReT', 'Bearer sEcReT sEcReT']) {
      expect((await ask(strict, header)).text).not.toContain('sEcReT')
    }
  })

  it('are denied by the hook, per operation and with its reason', async () => {
    const questions: DenialQuestion[] = []
    const deny = (question: DenialQuestion) => {
      questions.push(question)
      return question.operation.id === 'getNote' && question.params['note'] === 'a' && 'not today'
    }
    expect(await ask({ deny }, 'Bearer x')).toMatchObject({
      status: 403,
      text: expect.stringContaining('"reason":"not today"') as string,
    })
    expect((await ask({ deny }, 'Bearer x', '/v1/notes/b')).status).toBe(200)
    expect(questions[0]?.credentials.token).toBe('x')
    expect((await ask({ mode: 'disabled', deny }, 'Bearer x')).status).toBe(200)
  })

  it('name the users of declared tokens in optional mode too', async () => {
    const users: unknown[] = []
    const deny = ({ credentials }: DenialQuestion) => void users.push(credentials.user)
    await ask({ tokens: [{ token: 'ada', user: 'Ada' }], deny }, 'Bearer ada')
    await ask({ tokens: [{ token: 'ada', user: 'Ada' }], deny }, 'Bearer bob')
    expect(users).toEqual(['Ada', undefined])
  })
})
