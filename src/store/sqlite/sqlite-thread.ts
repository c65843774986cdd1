import type { Worker, WorkerOptions } from 'node:worker_threads'

/** A connection in another thread, because node:sqlite blocks the thread that runs a query. */
export type SqliteThread<Question, Answer> = {
  /** Answers in order. Rejects if the thread has ended; it is not restarted. */
  ask(question: Question): Promise<Answer>
  /** Sets whether this thread keeps the process alive. */
  hold(isHeld: boolean): void
  stop(): Promise<void>
}

type Asked<Answer> = { resolve: (answer: Answer) => void; reject: (error: unknown) => void }
type Told<Answer> = { answer: Answer; news?: true; fault?: { message: string; errcode?: number } }

type ThreadOptions = WorkerOptions & {
  /** Called when the thread posts `{ news: true }`, which answers nothing. */
  onNews?: () => void
  onEnd: () => void
}

/** `code`: plain JavaScript, which loads none of our modules and ends at the message `stop`. */
export async function startThread<Question, Answer>(
  code: string,
  { onNews, onEnd, ...options }: ThreadOptions,
): Promise<SqliteThread<Question, Answer>> {
  const { Worker } = await import('node:worker_threads')
  const worker: Worker = new Worker(code, { eval: true, ...options })
  const asked: Asked<Answer>[] = []
  let ended: Error | undefined
  worker.on('message', (told: Told<Answer>) => (told.news ? onNews?.() : settle(asked.shift(), told)))
  const end = (error: Error): void => {
    if (!ended) onEnd()
    ended ??= error
    for (const { reject } of asked.splice(0)) reject(ended)
  }
  worker.once('error', end)
  worker.once('exit', () => end(new Error('A thread that uses the database has stopped.')))
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        // Post first: a value that cannot be cloned throws here and gets no answer.
        worker.postMessage(question)
        asked.push({ resolve, reject })
      }),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    async stop() {
      if (ended) return
      const over = new Promise((resolve) => worker.once('exit', resolve))
      worker.ref()
      worker.postMessage('stop')
      await over
    },
  }
}

function settle<Answer>(asked: Asked<Answer> | undefined, { answer, fault }: Told<Answer>): void {
  if (fault) asked?.reject(Object.assign(new Error(fault.message), { code: 'ERR_SQLITE_ERROR', ...fault }))
  else asked?.resolve(answer)
}
