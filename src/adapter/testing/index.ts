export { adapterTest, type AdapterFixtures } from './adapter-test.ts'
export { findUnproven, type Unproven } from './find-unproven.ts'
