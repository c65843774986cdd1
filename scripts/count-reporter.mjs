import { writeFileSync } from 'node:fs'

/** A vitest reporter for scripts/test.mjs: writes the test counts as JSON to the file named by CUSTODY_TEST_COUNTS. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    )
    // A file that fails to load and an error outside all tests count as failures, although no test fails.
    const outsideTests = unhandledErrors.length + modules.flatMap((module) => module.errors()).length
    const passed = states.filter((state) => state === 'passed').length
    const failed = states.filter((state) => state === 'failed').length + outsideTests
    writeFileSync(process.env.CUSTODY_TEST_COUNTS, JSON.stringify({ passed, failed }))
  }
}
