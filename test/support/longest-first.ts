import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** These take longer than they look; before the first run vitest knows no more of a file than its size. */
const long = [
  'test/conformance/conformance.test.ts',
  'test/engine/manifests.test.ts',
  'test/engine/fulfillments-csv-model.test.ts',
  'test/engine/items-list-model.test.ts',
  'test/service/webhooks-workers.test.ts',
]

/** The long files of each project first, so that no worker is left with one when all others have ended. */
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
