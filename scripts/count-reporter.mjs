import { writeFileSync } from 'node:fs'

/** A vitest reporter for scripts/test.mjs: leaves the counts of tests as JSON in the file named by CUSTODY_TEST_COUNTS. */
export default class CountReporter {
  onTestRunEnd(modules, unhandledErrors) {
    const states = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => test.result().state),
    )
    // A file that cannot be loaded and an error outside every test have no test to fail, and are failures.
    const outsideTests = unhandledErrors.length + modules.flatMap((module) => module.errors()).length
    const passed = states.filter((state) => state === 'passed').length
    const failed = states.filter((state) => state === 'failed').length + outsideTests
    writeFileSync(process.env.CUSTODY_TEST_COUNTS, JSON.stringify({ passed, failed }))
  }
}
