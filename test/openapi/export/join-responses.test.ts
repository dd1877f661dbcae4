import { describe, expect, it } from 'vitest'
import { joinResponses } from '../../../src/openapi/export/join-responses.ts'

const text = { type: 'string' }

describe('joinResponses', () => {
  it('says each reason of a status once', () => {
    const reasons = ['Not found', 'Simulated error', 'Not found'].map((description) => ({
      status: 404,
      description,
    }))
    expect(joinResponses(reasons)).toEqual({ 404: { description: 'Not found; Simulated error' } })
  })

  it('joins headers, and bodies where they differ', () => {
    const responses = joinResponses([
      { status: 200, description: 'OK', body: text, headers: { A: { schema: text } } },
      { status: 200, description: 'OK', body: { type: 'string' }, headers: { B: { schema: text } } },
      { status: 200, description: 'Other', body: { type: 'null' } },
      { status: 200, description: 'Empty' },
    ])
    expect(responses[200]).toEqual({
      description: 'OK; Other; Empty',
      headers: { A: { schema: text }, B: { schema: text } },
      content: { 'application/json': { schema: { anyOf: [text, { type: 'null' }] } } },
    })
  })

  it('shows one example as it is and several by name', () => {
    const mapped = { status: 409, description: 'Mapped error', body: text }
    const one = joinResponses([
      { ...mapped, example: 'a' },
      { ...mapped, example: 'a' },
    ])
    expect(one[409]?.content).toEqual({ 'application/json': { schema: text, example: 'a' } })

    const many = joinResponses([
      { ...mapped, example: 'a' },
      { ...mapped, example: { b: 1 } },
      { ...mapped, example: 'a' },
      { ...mapped, description: 'Scenario step', example: null },
    ])
    expect(many[409]?.content?.['application/json']?.examples).toEqual({
      mapped_error: { summary: 'Mapped error', value: 'a' },
      mapped_error_2: { summary: 'Mapped error', value: { b: 1 } },
      scenario_step: { summary: 'Scenario step', value: null },
    })
  })

  it.for([204, 205, 304])('gives %i no content', (status) => {
    expect(joinResponses([{ status, description: 'None', body: text }])).toEqual({
      [status]: { description: 'None' },
    })
  })
})
