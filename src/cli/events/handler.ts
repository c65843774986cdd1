import type { LoggedEvent } from './logged-event.ts'

/** Does with one event what the operator asked for. Throws `HandlerFailure` where that failed. */
export type Handler = (logged: LoggedEvent, attempt: number) => Promise<void>

/** The operator's command or receiver did not take the event. The message is the middle of a sentence. */
export class HandlerFailure extends Error {
  /** How long the receiver wants to be left alone, in milliseconds. */
  readonly askedMs: number
  /** The command was told to end. If we were too, at the same time, the news of that may be a moment behind. */
  readonly wasTold: boolean
  constructor(message: string, more: { askedMs?: number | null; wasTold?: boolean } = {}) {
    super(message)
    this.name = 'HandlerFailure'
    this.askedMs = more.askedMs ?? 0
    this.wasTold = more.wasTold ?? false
  }
}
