import type { CommandFile, Outcome, Session } from '../command.ts'
import { tellStory } from '../demo/story.ts'

type Options = { keep?: boolean }

export const command: CommandFile<[Options]> = {
  summary: 'the whole story on a throw-away database, in seconds',
  details:
    'A catalog, a buy sheet with two bad rows, its arrival with a damaged, a missing and an unexpected item, orders, a return, a sell-back, the report and the events: each step shows the command that you would type and what it answers.',
  examples: ['demo', 'demo --keep'],
  define: (demo) => demo.option('--keep', 'keep the folder with the files and the database'),
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, options: Options): Promise<Outcome> {
  return tellStory(session, options.keep === true)
}
