import { Option } from 'commander'
import { usage } from './cli-error.ts'

/** --api-key, which every command refuses: whoever runs `ps` would see it. */
export function refusedKey(): Option {
  return refused(
    '--api-key',
    'An API key',
    'Set CUSTODY_API_KEY or CUSTODY_API_KEY_FILE, or run: custody init',
  )
}

/** --secret, which is refused for the same reason. */
export function refusedSecret(): Option {
  return refused(
    '--secret',
    'A secret',
    'Give it with --secret-file, --secret-stdin or CUSTODY_WEBHOOK_SECRET.',
  )
}

function refused(flag: string, what: string, instead: string): Option {
  const option = new Option(`${flag} [value]`).hideHelp()
  return option.argParser(() => {
    throw usage(
      `${what} on the command line can be seen by everybody on this machine: ${flag} is refused.`,
      instead,
    )
  })
}
