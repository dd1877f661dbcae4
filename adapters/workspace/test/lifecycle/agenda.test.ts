import fc from 'fast-check'
import { createAdapter } from 'sim-gateway/adapter'
import TinyQueue from 'tinyqueue'
import { describe, expect, it } from 'vitest'
import { adapter } from '../../src/adapter.ts'
import { Agenda } from '../../src/agenda.ts'

const clockOf = () => createAdapter(adapter, { fixture: { version: 1 }, startAt: 0 }).clock

function listed(agenda: Agenda): string[] {
  const steps: string[] = []
  agenda.onStep('runs', (id, at) => steps.push(`${id}@${at}`))
  return steps
}

describe('the agenda', () => {
  it('takes due steps in order of time, and of planning at one time', () => {
    const clock = clockOf()
    const agenda = new Agenda(clock, {})
    const steps = listed(agenda)
    for (const [id, at] of [
      ['a', 30],
      ['b', 10],
      ['c', 30],
      ['d', 99],
    ] as const)
      agenda.plan('runs', id, at)
    agenda.plan('runs', 'b', 20)

    clock.advance(50)

    expect(steps).toEqual(['b@20', 'a@30', 'c@30'])
    expect(agenda.dueAt('runs', 'd')).toBe(99)
  })

  it('takes steps that a step has planned, at their own time', () => {
    const clock = clockOf()
    const agenda = new Agenda(clock, {})
    const steps: number[] = []
    agenda.onStep('runs', (id, at) => {
      steps.push(at)
      if (at < 40) agenda.plan('runs', id, at + 10)
    })
    agenda.plan('runs', 'a', 10)

    clock.advance(1000)

    expect(steps).toEqual([10, 20, 30, 40])
  })

  it('takes no step that was cancelled', () => {
    const clock = clockOf()
    const agenda = new Agenda(clock, {})
    const steps = listed(agenda)
    agenda.plan('runs', 'a', 10)
    agenda.cancel('runs', 'a')

    clock.advance(100)

    expect(steps).toEqual([])
    expect(agenda.step('runs', 'a')).toBe(false)
  })

  it('lets reads hurry only what they drive, and not what is held', () => {
    const agenda = new Agenda(clockOf(), { clusters: { by: 'time' } })
    const steps: string[] = []
    const step = (id: string): void => void steps.push(id)
    agenda.onStep('runs', step, { isHeld: (id) => id === 'held' })
    agenda.onStep('clusters', step)
    for (const id of ['free', 'held']) agenda.plan('runs', id, 10)
    agenda.plan('clusters', 'timed', 10)

    agenda.observe('runs', 'free')
    agenda.observe('runs', 'held')
    agenda.observe('clusters', 'timed')

    expect(steps).toEqual(['free'])
  })

  it('plans again what a snapshot says, and nothing else', () => {
    const clock = clockOf()
    const agenda = new Agenda(clock, {})
    const steps = listed(agenda)
    agenda.plan('runs', 'a', 10)
    const snapshot = agenda.snapshot()
    agenda.plan('runs', 'b', 5)
    agenda.cancel('runs', 'a')

    agenda.restore(snapshot)
    clock.advance(100)

    expect(steps).toEqual(['a@10'])
  })

  it('takes each step of many at its time, whatever was moved in between', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat({ max: 100 })), { maxLength: 300 }),
        (plans) => {
          const clock = clockOf()
          const agenda = new Agenda(clock, {})
          const steps = listed(agenda)
          const last = new Map<string, number>()
          for (const [id, at] of plans) {
            agenda.plan('runs', id, at + 1)
            last.set(id, at + 1)
          }

          clock.advance(200)

          const times = steps.map((step) => Number(step.split('@')[1]))
          expect(times).toEqual(times.toSorted((a, b) => a - b))
          expect(steps.toSorted()).toEqual([...last].map(([id, at]) => `${id}@${at}`).toSorted())
        },
      ),
      { numRuns: 40 },
    )
  })

  it('grows no further than the steps that are planned', () => {
    const agenda = new Agenda(clockOf(), {})
    const pushes: number[] = []
    const push = TinyQueue.prototype.push
    TinyQueue.prototype.push = function pushCounting(this: TinyQueue<unknown>, entry: unknown) {
      push.call(this, entry)
      pushes.push(this.length)
    }
    try {
      for (let at = 1; at <= 10_000; at += 1) agenda.plan('runs', 'a', at)
    } finally {
      TinyQueue.prototype.push = push
    }
    expect(Math.max(...pushes)).toBeLessThan(100)
    expect(pushes.length).toBeLessThan(10_500)
  })
})
