/** Not a real address: page links of an embedded target lead nowhere. */
export const embeddedBaseUrl = 'http://embedded.invalid/v1'
