import type { StartCustody } from './custody.js'

export type * from './custody.js'
export declare const startCustody: StartCustody
