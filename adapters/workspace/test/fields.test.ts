import { AdapterFault } from 'sim-gateway/adapter'
import { describe, expect, it } from 'vitest'
import { errorBody, STATUS_BY_CODE, workspaceError } from '../src/errors.ts'
import {
  bodyOf,
  optionalBoolean,
  optionalInteger,
  optionalObjects,
  queryBoolean,
  queryInteger,
  queryList,
  requiredInteger,
  requiredText,
} from '../src/fields.ts'

function codeOf(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    if (AdapterFault.is(error)) return (error.body as { error_code: string }).error_code
  }
  return undefined
}

describe('fields of requests', () => {
  it('are refused when they are missing or of another type', () => {
    expect(codeOf(() => requiredText({}, 'a'))).toBe('INVALID_PARAMETER_VALUE')
    expect(codeOf(() => requiredText({ a: '' }, 'a'))).toBe('INVALID_PARAMETER_VALUE')
    expect(codeOf(() => requiredText({ a: 1 }, 'a'))).toBe('MALFORMED_REQUEST')
    expect(codeOf(() => requiredInteger({}, 'a'))).toBe('INVALID_PARAMETER_VALUE')
    expect(codeOf(() => optionalInteger({ a: 1.5 }, 'a'))).toBe('MALFORMED_REQUEST')
    expect(codeOf(() => optionalBoolean({ a: 'true' }, 'a'))).toBe('MALFORMED_REQUEST')
    expect(codeOf(() => optionalObjects({ a: [1] }, 'a'))).toBe('MALFORMED_REQUEST')
    expect(codeOf(() => bodyOf({ body: () => [] }))).toBe('MALFORMED_REQUEST')
  })

  it('are absent when they are null, and numbers may be texts', () => {
    expect(optionalInteger({ a: null }, 'a')).toBeUndefined()
    expect(optionalInteger({ a: '12' }, 'a')).toBe(12)
    expect(bodyOf({ body: () => undefined })).toEqual({})
  })

  it('are read from queries as clients write them', () => {
    const query = new URLSearchParams('a=True&b=false&c=3&d=x&d=y&e=')
    expect(queryBoolean(query, 'a')).toBe(true)
    expect(queryBoolean(query, 'b')).toBe(false)
    expect(queryBoolean(query, 'e')).toBeUndefined()
    expect(queryInteger(query, 'c')).toBe(3)
    expect(queryList(query, 'd')).toEqual(['x', 'y'])
    expect(queryList(query, 'e')).toEqual([])
    expect(codeOf(() => queryInteger(query, 'd'))).toBe('INVALID_PARAMETER_VALUE')
    expect(codeOf(() => queryBoolean(query, 'c'))).toBe('INVALID_PARAMETER_VALUE')
  })
})

describe('errors', () => {
  it('have the status of their code unless a place says otherwise', () => {
    expect(workspaceError('RESOURCE_ALREADY_EXISTS', 'x').status).toBe(400)
    expect(workspaceError('RESOURCE_DOES_NOT_EXIST', 'x', { status: 400 }).status).toBe(400)
    expect(Object.values(STATUS_BY_CODE).every((status) => status >= 400 && status < 600)).toBe(true)
  })

  it('have details only where there are some, each with the metadata that a client stumbles without', () => {
    expect(errorBody('X', 'y')).toEqual({ error_code: 'X', message: 'y' })
    expect(errorBody('X', 'y', [{ '@type': 't' }, { '@type': 'u', metadata: { a: '1' } }])).toMatchObject({
      details: [
        { '@type': 't', metadata: {} },
        { '@type': 'u', metadata: { a: '1' } },
      ],
    })
  })
})
