import ora from 'ora'

/** In a module of its own, so that only terminals pay for loading it. */
export type Spinner = { text: string; render(): unknown; stop(): unknown }

export function startSpinner(): Spinner {
  const spinner = ora({ stream: process.stderr, discardStdin: false })
  spinner.start()
  return spinner
}
