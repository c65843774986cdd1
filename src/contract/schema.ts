import * as z from 'zod/mini'
import { once } from './once.ts'

type Shape = Record<string, z.ZodMiniType>

/** What a client sends, made on first use: a field that is not known here is refused (decisions 3). */
export function sent<S extends Shape>(shape: () => S) {
  return once(() => z.strictObject(shape()))
}

/** What a service answers: fields may be added within v1, and a client takes them (part 9). */
export function answered<S extends Shape>(shape: () => S) {
  return once(() => z.object(shape()))
}
