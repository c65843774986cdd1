/** The paper of labels: a label printer's, or A4 with four on a sheet. */
export const sheets = ['4x6', 'a4'] as const
export type Sheet = (typeof sheets)[number]
