export { adapterTest, type AdapterFixtures } from './adapter-test.ts'
export { findUnproven, type Unproven } from './find-unproven.ts'
export { readBlocks, runBlocks, type BlockRun } from './read-blocks.ts'
export { runCommand, type CommandRun } from './run-command.ts'
