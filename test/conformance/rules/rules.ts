import type { Rule } from '../rule.ts'
import { ANSWERS } from './answers.ts'
import { CONNECTION } from './connection.ts'
import { FRAMING } from './framing.ts'
import { PASSING } from './passing.ts'
import { REQUEST } from './request.ts'

/** All rules of HTTP/1. */
export const RULES: readonly Rule[] = [...REQUEST, ...FRAMING, ...ANSWERS, ...CONNECTION, ...PASSING]
