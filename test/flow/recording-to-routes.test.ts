import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { openFolder, openSim, send } from './kit.ts'
import { startRestUpstream } from './rest-upstream.ts'
import { shapeOf } from './shape-of.ts'
import { runSim, type SimResult } from './sim-process.ts'

/** One request of a session; `{n}` in its path stands for the id that request `n` of the session was answered. */
type Step = readonly [request: string, body?: Readonly<Record<string, unknown>>]

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** What is recorded. */
const SESSION: readonly Step[] = [
  ['GET /posts'],
  ['GET /posts/1'],
  ['GET /posts/2'],
  ['GET /posts/999'],
  ['POST /posts', { title: 'First', author: 'Ada' }],
  ['POST /posts', { title: 'Second', author: 'Bo' }],
  ['POST /posts', { title: 'Third', author: 'Cy' }],
  ['GET /posts/{4}'],
  ['PATCH /posts/{4}', { title: 'First, again' }],
  ['PATCH /posts/{5}', { title: 'Second, again' }],
  ['PATCH /posts/3', { title: 'Number three' }],
  ['GET /posts/{4}'],
  ['DELETE /posts/{5}'],
  ['GET /posts/{5}'],
  ['DELETE /posts/{5}'],
  ['PATCH /posts/{5}', { title: 'gone' }],
  ['GET /posts'],
  ['GET /comments'],
  ['POST /comments', { text: 'Fine', post: 1 }],
  ['POST /comments', { text: 'Well', post: 2 }],
  ['POST /comments', { text: 'Good', post: 3 }],
  ['GET /comments/{18}'],
  ['GET /comments/{19}'],
  ['DELETE /comments/{19}'],
  ['GET /comments/{19}'],
  ['GET /comments'],
]

/** What is not: other items, other values, another order. */
const OTHER: readonly Step[] = [
  ['GET /comments/7'],
  ['POST /comments', { text: 'Bad', post: 40 }],
  ['GET /comments/{1}'],
  ['DELETE /posts/1'],
  ['GET /posts/1'],
  ['GET /posts/17'],
  ['PATCH /posts/17', { title: 'Seventeen' }],
  ['GET /posts/17'],
  ['POST /posts', { title: 'New', author: 'Di' }],
  ['PATCH /posts/{8}', { title: 'Newer', author: 'Ed' }],
  ['GET /posts/{8}'],
  ['DELETE /posts/{8}'],
  ['DELETE /posts/{8}'],
  ['GET /posts'],
  ['GET /comments'],
  ['DELETE /comments/{1}'],
  ['GET /comments'],
  ['GET /posts/41'],
]

async function play(url: string, session: readonly Step[]): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const [request, body] of session) {
    const [method = '', template = ''] = request.split(' ')
    const path = template.replace(/\{(\d+)\}/, (_, index: string) => {
      const { id } = (answers[Number(index)] as Answer).body as { readonly id: number | string }
      return encodeURIComponent(id)
    })
    const { status, body: answered } = await send(method, `${url}${path}`, body)
    answers.push({ status, body: answered })
  }
  return answers
}

// The words of a failure do not count.
function kindOf({ status, body }: Answer): unknown {
  return { status, shape: status < 400 ? shapeOf(body) : 'failure' }
}

/** The fields of an answer that the request gave. */
function linked({ body }: Answer, [, sent]: Step): unknown {
  const answered = (body ?? {}) as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.keys(sent ?? {}).map((name) => [name, answered[name]]))
}

describe('a recording of a REST server, made into routes', () => {
  const folder = openFolder().path
  let live: readonly Answer[]
  let liveOther: readonly Answer[]
  let made: SimResult

  beforeAll(async () => {
    const upstream = await startRestUpstream()
    const gateway = await openSim(['proxy', '--upstream', upstream.url, '--record', 'recorded'], folder)
    live = await play(gateway.url, SESSION)
    await gateway.stop()
    liveOther = await play((await startRestUpstream()).url, OTHER)
    made = await runSim(['fixtures', 'from', 'recorded', '-o', 'mock'], folder)
  })

  const simulate = async (session: readonly Step[]): Promise<Answer[]> => {
    const simulated = await openSim(['run', 'mock/routes.yaml', '--seed', '3'], folder)
    const answers = await play(simulated.url, session)
    expect(await simulated.stop()).toBe(0)
    return answers
  }

  it('passes validation', async () => {
    expect([made.code, made.stderr]).toEqual([0, ''])
    const { code, stdout } = await runSim(['validate', 'mock/routes.yaml'], folder)
    expect(`${code} ${stdout}`).toMatch(/^0 OK: 9 routes/)
  })

  it('answers the recorded session with the same statuses and shapes, and what was sent', async () => {
    const simulated = await simulate(SESSION)
    expect(simulated.map(kindOf)).toEqual(live.map(kindOf))
    const fine = SESSION.flatMap((step, index) =>
      (live[index]?.status ?? 500) < 300 ? [[step, index] as const] : [],
    )
    for (const [step, index] of fine)
      expect(linked(simulated[index] as Answer, step)).toEqual(linked(live[index] as Answer, step))
  })

  it('answers most of a session that it never saw as the server did', async () => {
    const simulated = await simulate(OTHER)
    const [kinds, wanted] = [simulated, liveOther].map((answers) =>
      answers.map((answer) => JSON.stringify(kindOf(answer))),
    )
    const differing = OTHER.filter((_, index) => kinds?.[index] !== wanted?.[index])
    const share = 1 - differing.length / OTHER.length
    process.stdout.write(
      `unseen session: ${Math.round(100 * share)} % answered as the server did` +
        `${differing.map(([request]) => `, not ${request}`).join('')}\n`,
    )
    expect(share).toBeGreaterThanOrEqual(0.9)
  })

  it('says in its report from how much it was inferred', async () => {
    expect(await readFile(join(folder, 'mock/REPORT.md'), 'utf8')).toContain('9 routes from 26 exchanges')
  })
})
