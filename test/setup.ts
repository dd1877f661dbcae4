import fc from 'fast-check'

// A run says the same twice. SIM_TEST_SEED=random looks elsewhere; a failure prints the seed that repeats it.
const wanted = process.env['SIM_TEST_SEED'] ?? '20260101'
if (wanted !== 'random') fc.configureGlobal({ seed: Number(wanted) })
