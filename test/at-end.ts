import { afterAll, afterEach, TestRunner } from 'vitest'

const closing: { test: (() => unknown)[]; file: (() => unknown)[] } = { test: [], file: [] }

/** Has something closed at the end of the running test, or of the file's tests if none is running; the last first. */
export function atEnd(close: () => unknown): void {
  closing[TestRunner.getCurrentTest() === undefined ? 'file' : 'test'].push(close)
}

/** Has something closed at the end of the file's tests. */
export function atEndOfFile(close: () => unknown): void {
  closing.file.push(close)
}

/** Closes what the running test has opened now. */
export async function closeAll(): Promise<void> {
  while (closing.test.length > 0) await closing.test.pop()?.()
}

/** Has what the tests of a file open closed. Files that share their modules have to call it one by one. */
export function closeAtEnd(): void {
  afterEach(closeAll)
  afterAll(async () => {
    while (closing.file.length > 0) await closing.file.pop()?.()
  })
}
