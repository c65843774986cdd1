import ora from 'ora'

/** A line on stderr that is redrawn in place. A module of its own, so that only terminals pay for it. */
export type Spinner = { text: string; render(): unknown; stop(): unknown }

export function startSpinner(): Spinner {
  const spinner = ora({ stream: process.stderr, discardStdin: false })
  spinner.start()
  return spinner
}
