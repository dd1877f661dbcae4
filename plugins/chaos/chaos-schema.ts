import type { Schema } from '../../src/engine/schema/schema.ts'
import { FAULTS } from '../faults/index.ts'
import type { FaultOption } from '../faults/fault.ts'
import type { RouteChaos, Spread } from '../../src/engine/chaos-rule.ts'

/** The fields that each distribution must have, all of them milliseconds, or milliseconds by percentile. */
export const LATENCY_FIELDS: Readonly<Record<Spread['distribution'], readonly string[]>> = {
  fixed: ['ms'],
  uniform: ['min', 'max'],
  normal: ['mean', 'sd'],
  lognormal: ['p50', 'p99'],
  percentiles: ['percentiles'],
}

const share = { type: 'number', minimum: 0, maximum: 1 }
const text = { type: 'string', minLength: 1, maxLength: 1000 }
const range = (type: string, least: number): Schema => ({
  type: 'object',
  properties: { from: { type, minimum: least }, to: { type, minimum: least } },
  additionalProperties: false,
})

// Keywords only speak of values of their own type, so that a number or an object needs no choice of schemas.
const fault = (options: Readonly<Record<string, Schema>>): Schema => ({
  type: ['number', 'object'],
  minimum: 0,
  maximum: 1,
  properties: { rate: share, ...options },
  required: ['rate'],
  additionalProperties: false,
})

// Files have names of options in snake case.
function inFiles(options: Readonly<Record<string, FaultOption>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { schema = {} }]) => [snakeCase(name), schema]),
  )
}

/** `bytesPerSecond` as files have it. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

const LATENCY: Schema = {
  type: ['number', 'object'],
  minimum: 0,
  properties: {
    distribution: { enum: Object.keys(LATENCY_FIELDS) },
    rate: share,
    body: share,
    ...Object.fromEntries(
      Object.values(LATENCY_FIELDS)
        .flat()
        .map((name) => [name, { type: 'number', minimum: 0 }]),
    ),
    percentiles: {
      type: 'object',
      minProperties: 1,
      patternProperties: { '^(100|\\d{1,2}(\\.\\d+)?)$': { type: 'number', minimum: 0 } },
      additionalProperties: false,
    },
  },
  required: ['distribution'],
  additionalProperties: false,
}

const ERRORS: Schema = {
  type: 'object',
  properties: {
    rate: share,
    codes: {
      type: ['array', 'object'],
      minItems: 1,
      items: { type: 'integer', minimum: 400, maximum: 599 },
      minProperties: 1,
      patternProperties: { '^[45][0-9][0-9]$': { type: 'number', exclusiveMinimum: 0 } },
      additionalProperties: false,
    },
    latency: LATENCY,
    answers: {
      type: 'object',
      patternProperties: {
        '^[45][0-9][0-9]$': {
          type: 'object',
          properties: {
            headers: { type: 'object', additionalProperties: { type: 'string' } },
            body: {},
            text: { type: 'string' },
            base64: { type: 'string' },
          },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
  required: ['rate'],
  additionalProperties: false,
}

const OF_ROUTE: Readonly<Record<keyof RouteChaos, Schema>> = {
  name: text,
  even: { type: 'boolean' },
  requests: range('integer', 1),
  seconds: range('number', 0),
  latency: LATENCY,
  errors: ERRORS,
  faults: {
    type: 'object',
    properties: Object.fromEntries(FAULTS.map(({ name, options = {} }) => [name, fault(inFiles(options))])),
    additionalProperties: false,
  },
}

/** What the chaos of one route looks like in files. */
export const ROUTE_CHAOS_SCHEMA: Schema = {
  type: 'object',
  properties: OF_ROUTE,
  additionalProperties: false,
}

const RULE: Schema = {
  type: 'object',
  properties: {
    ...OF_ROUTE,
    match: {
      type: 'object',
      properties: {
        methods: { type: 'array', minItems: 1, items: text },
        path: text,
        host: text,
        operation: text,
        headers: { type: 'object', additionalProperties: text },
      },
      additionalProperties: false,
    },
    rate_limit: {
      type: 'object',
      properties: {
        requests: { type: 'integer', minimum: 1 },
        per_seconds: { type: 'number', exclusiveMinimum: 0 },
        by: { enum: ['route', 'client', 'token'] },
      },
      required: ['requests'],
      additionalProperties: false,
    },
  },
  additionalProperties: false,
}

/** What chaos looks like in files and on the control plane. */
export const CHAOS_SCHEMA: Schema = {
  type: 'object',
  properties: {
    preset: { type: 'string' },
    rules: { type: 'array', items: RULE },
  },
  additionalProperties: false,
}
