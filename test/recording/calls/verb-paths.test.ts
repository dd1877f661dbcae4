import { expect, it } from 'vitest'
import { answerCalls } from '../../../src/recording/calls/answer-calls.ts'
import { inferCalls } from '../../../src/recording/calls/infer-model.ts'
import { createObjects } from '../../../src/recording/calls/objects.ts'
import { groupBy } from '../../../src/grouping.ts'
import { inferRoutes } from '../../../src/recording/inference/infer-routes.ts'
import { pathOf, type Sample } from '../../../src/recording/inference/sample.ts'
import { verbPaths } from '../../../src/recording/protocols/verb-paths.ts'
import { type Entry, samplesOf } from '../inference/samples.ts'

const IDS = [1, 2, 3].map((no) => `7f0a1c2e-0000-4000-8000-00000000000${no}`)
const document = (at: number, title: string, revision = 1): object => ({
  ...{ id: IDS[at], title, text: `# ${title}`, revision, draft: false },
})
const [START, PLAN, NOTES] = [document(0, 'Start'), document(1, 'Plan'), document(2, 'Notes')]
const NOT_FOUND = { ok: false, error: 'not_found', message: 'Resource not found' }
const done = (path: string, body: object, data: unknown): Entry => [
  `POST ${path}`,
  { body, response: { data, ok: true, status: 200 } },
]
const failed = (path: string, body: object): Entry => [
  `POST ${path}`,
  { body, status: 404, response: NOT_FOUND },
]

const recorded = (pathOfVerb: (verb: string) => string): readonly Entry[] => [
  done(pathOfVerb('list'), {}, []),
  ...[START, PLAN, NOTES].map((each) => {
    const { title, text } = each as Readonly<Record<string, unknown>>
    return done(pathOfVerb('create'), { title, text }, each)
  }),
  done(pathOfVerb('list'), {}, [START, PLAN, NOTES]),
  done(pathOfVerb('info'), { id: IDS[1] }, PLAN),
  done(pathOfVerb('update'), { id: IDS[1], title: 'Plans' }, { ...PLAN, title: 'Plans', revision: 2 }),
  done(
    pathOfVerb('update'),
    { id: IDS[1], draft: true },
    { ...PLAN, title: 'Plans', revision: 3, draft: true },
  ),
  done(pathOfVerb('info'), { id: IDS[1] }, { ...PLAN, title: 'Plans', revision: 3, draft: true }),
  [
    `POST ${pathOfVerb('delete')}`,
    { body: { id: IDS[2] }, response: { success: true, ok: true, status: 200 } },
  ],
  failed(pathOfVerb('info'), { id: IDS[2] }),
  failed(pathOfVerb('delete'), { id: IDS[2] }),
]

const rootsOf = (samples: readonly Sample[]): readonly string[] | undefined => {
  const all = [...groupBy(samples, pathOf)].map(([path, own]) => ({ path, samples: own }))
  return verbPaths.calls?.roots?.(samples.filter(verbPaths.speaks), all)
}

it.each([(verb: string) => `/api/documents.${verb}`, (verb: string) => `/api/documents/${verb}`])(
  'performs calls whose paths end in what they do: %o',
  (pathOfVerb) => {
    const samples = samplesOf(...recorded(pathOfVerb))
    expect(rootsOf(samples)).toHaveLength(1)
    const model = inferCalls(samples, verbPaths)
    const all = createObjects({ types: model?.types ?? {} })
    let count = 0
    const call = (verb: string, body: object): unknown => {
      const request = { method: 'POST', path: pathOfVerb(verb), query: {}, headers: {}, body }
      return model && answerCalls(model, all, request, { seed: `${count++}`, now: 0 })?.body
    }
    const { data } = call('create', { title: 'Offer', text: 'New' }) as { data: { id: string } }
    const offer = { title: 'Offer', text: 'New', draft: false }
    expect(data).toMatchObject({ ...offer, revision: 1 })
    expect(call('update', { id: data.id, text: 'Old' })).toMatchObject({ data: { text: 'Old', revision: 2 } })
    expect(call('list', {})).toMatchObject({ data: [{ ...offer, text: 'Old' }], ok: true })
    // What says `status: 200` does not count what was removed.
    expect(call('delete', { id: data.id })).toEqual({ success: true, ok: true, status: 200 })
    expect(call('delete', { id: data.id })).toEqual(NOT_FOUND)
    expect(call('list', {})).toMatchObject({ data: [] })
  },
)

it('has no routes but those of the calls that were recorded', () => {
  const { routes } = inferRoutes(samplesOf(...recorded((verb) => `/api/documents.${verb}`)))
  const verbs = ['create', 'delete', 'info', 'list', 'update']
  expect(routes.map(({ path }) => path).toSorted()).toEqual(verbs.map((verb) => `/api/documents.${verb}`))
  expect(routes.every(({ calls }) => calls?.protocol === verbPaths.name)).toBe(true)
})

it.each([
  ['items that paths name by their ids', [['DELETE /api/documents/1', { status: 204 }]]],
  [
    'others that are made at paths of their own',
    [1, 2, 3, 4].map((no) => [`POST /api/documents/things${no}`, {}]),
  ],
] as [string, Entry[]][])('leaves to others where there are %s', (_what, others) => {
  expect(rootsOf(samplesOf(...recorded((verb) => `/api/documents/${verb}`), ...others))).toEqual([])
})
