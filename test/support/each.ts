import { createServer, type RequestListener, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { type CliUser, newCliUser } from './cli-io.ts'
import { listening } from './free-port.ts'
import { type Harness, startHarness } from './harness.ts'
import { type HttpHarness, startHttp } from './http.ts'

type Made<T> = { make: () => T | Promise<T>; end: (made: T) => unknown }

/** Stands for what is made for each test, and ended after it. */
export const forEachTest = standInFor(beforeEach, afterEach)

/** Stands for what is made once for the tests of a group. */
export const forAllTests = standInFor(beforeAll, afterAll)

type Hook = (task: () => unknown) => void

function standInFor(before: Hook, after: Hook) {
  return <T extends object>({ make, end }: Made<T>): T => {
    let made: T
    before(async () => {
      made = await make()
    })
    after(() => end(made))
    return standIn(() => made)
  }
}

export const harnessWith = (...given: Parameters<typeof startHarness>): Made<Harness> => ({
  make: () => startHarness(...given),
  end: (harness) => harness.close(),
})

export const httpOf = (...given: Parameters<typeof startHttp>): Made<HttpHarness> => ({
  make: () => startHttp(...given),
  end: (http) => http.close(),
})

/** An HTTP service of one's own, and the variables that name it. */
export const serviceOf = (answer: RequestListener) => ({
  async make() {
    const server = createServer(answer)
    const url = `http://127.0.0.1:${await listening(server)}/v1`
    return { server, env: { CUSTODY_BASE_URL: url, CUSTODY_API_KEY: `sk_sandbox_${'0'.repeat(32)}` } }
  },
  end: ({ server }: { server: Server }) => server.close(),
})

export const cliUser: Made<CliUser> = { make: newCliUser, end: (user) => user.dispose() }

function standIn<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get: (_, name) => Reflect.get(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  })
}
