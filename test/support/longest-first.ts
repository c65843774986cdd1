import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These take longer than their size suggests; before the first run vitest knows nothing else about a file. */
const long = [
  'test/conformance/conformance.test.ts',
  'test/engine/manifests.test.ts',
  'test/engine/fulfillments-csv-model.test.ts',
  'test/engine/items-list-model.test.ts',
  'test/service/webhooks-workers.test.ts',
]

/** Runs the long files of each project first, so that no worker is left with one at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.some((name) => moduleId.endsWith(name))
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))]
    })
  }
}
