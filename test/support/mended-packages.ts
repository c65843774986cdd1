import { registerHooks } from 'node:module'
import { mends } from '../../scripts/mended.ts'

// What the build does to packages, so that tests from source see the same.
registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    const mend = mends.find(({ isOf }) => isOf(url))
    if (mend === undefined) return loaded
    return { ...loaded, source: mend.transform(String(loaded.source), url) }
  },
})
