import type { Rule } from '../rule.ts'
import { ANSWERS } from './answers.ts'
import { CODINGS } from './codings.ts'
import { CONNECTION } from './connection.ts'
import { FRAMING } from './framing.ts'
import { HOPS } from './hops.ts'
import { MALFORMED_ANSWERS } from './malformed-answers.ts'
import { PASSING } from './passing.ts'
import { REQUEST } from './request.ts'
import { TARGETS } from './targets.ts'

/** All rules of HTTP/1. */
export const RULES: readonly Rule[] = [
  ...[...REQUEST, ...TARGETS, ...FRAMING, ...CODINGS],
  ...[...ANSWERS, ...MALFORMED_ANSWERS, ...CONNECTION, ...PASSING, ...HOPS],
]
