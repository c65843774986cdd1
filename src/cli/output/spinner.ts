import ora from 'ora'

/** In a module of its own, so that only terminals pay for loading it. */
export type Spinner = { text: string; render(): unknown; clear(): unknown; stop(): unknown }

// The terminal may close while the spinner draws; a signal reports that too.
process.stderr.on('error', () => {})

export function startSpinner(): Spinner {
  // ora divides by the width, which is 0 if nobody set it.
  process.stderr.columns ||= 80
  // Its colours would ignore NO_COLOR and --no-color.
  const spinner = ora({ stream: process.stderr, discardStdin: false, color: false })
  spinner.start()
  return spinner
}
