import type { CommandFile } from '../command.ts'
import { tellStory } from '../demo/story.ts'

type Options = { keep?: boolean }

export const command: CommandFile<[Options]> = {
  summary: 'Run a tour of custody on a temporary database',
  details:
    'A catalog; a buy sheet with two bad rows; its arrival with a damaged, a missing, and an unexpected item; orders; a return; a sell-back; the report; and the events. Each step shows the command you would type and its output.',
  examples: ['demo', 'demo --keep'],
  define: (demo) => demo.option('--keep', 'Keep the folder with the files and the database'),
  isOffline: true,
  isPlain: true,
  async run(session, options) {
    return tellStory(session, options.keep === true)
  },
}
