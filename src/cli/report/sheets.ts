/** Label printer paper, or A4 with four labels per sheet. */
export const sheets = ['4x6', 'a4'] as const
export type Sheet = (typeof sheets)[number]
