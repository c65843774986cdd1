import type { LoggedEvent } from './logged-event.ts'

/** Throws `HandlerFailure` if the operator's command or receiver fails. */
export type Handler = (logged: LoggedEvent, attempt: number) => Promise<void>

/** The message continues a sentence. */
export class HandlerFailure extends Error {
  readonly askedMs: number
  /** A signal ended the command. This process may have received the same signal and notice it a moment later. */
  readonly wasTold: boolean
  constructor(message: string, more: { askedMs?: number | null; wasTold?: boolean } = {}) {
    super(message)
    this.name = 'HandlerFailure'
    this.askedMs = more.askedMs ?? 0
    this.wasTold = more.wasTold ?? false
  }
}
