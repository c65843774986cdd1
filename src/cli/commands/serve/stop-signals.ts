/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function stopAsked(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false
    const ask = (signal: NodeJS.Signals): void => {
      if (isAsked) process.exit(130)
      isAsked = true
      resolve(signal)
    }
    process.on('SIGTERM', ask)
    process.on('SIGINT', ask)
  })
}
