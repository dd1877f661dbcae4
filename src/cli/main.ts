#!/usr/bin/env node
import { sim } from './cli.ts'
import { runProcess } from './run-process.ts'

await runProcess(sim)
