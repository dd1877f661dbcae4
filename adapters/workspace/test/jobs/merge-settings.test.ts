import { describe, expect, it } from 'vitest'
import { mergeSettings, removeFields } from '../../src/jobs/settings.ts'

describe('settings of a job', () => {
  it('are replaced field by field, and their arrays entry by entry', () => {
    expect(
      mergeSettings(
        {
          name: 'a',
          schedule: { x: 1 },
          tasks: [
            { task_key: 'a', n: 1 },
            { task_key: 'b', n: 1 },
          ],
          tags: { k: 'v' },
        },
        { schedule: { y: 2 }, tasks: [{ task_key: 'b' }, { task_key: 'c' }], tags: { l: 'w' } },
      ),
    ).toEqual({
      name: 'a',
      schedule: { y: 2 },
      tasks: [{ task_key: 'a', n: 1 }, { task_key: 'b' }, { task_key: 'c' }],
      tags: { l: 'w' },
    })
  })

  it('lose whole fields and entries of arrays', () => {
    const settings = {
      schedule: {},
      tasks: [{ task_key: 'a' }, { task_key: 'b' }],
      job_clusters: [{ job_cluster_key: 'x/y' }],
    }
    expect(removeFields(settings, ['schedule', 'tasks/a', 'job_clusters/x/y', 'nothing', 'tasks/z'])).toEqual(
      {
        tasks: [{ task_key: 'b' }],
        job_clusters: [],
      },
    )
  })

  it('refuse to lose parts of fields', () => {
    expect(() => removeFields({ schedule: {} }, ['schedule/timezone_id'])).toThrow('answered 400')
    expect(() => removeFields({}, [1])).toThrow('answered 400')
  })
})
