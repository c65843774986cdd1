/** Messages of refusals and faults that the document shows as examples: what the service says and what is shown are the same. */
export const invalidKeyMessage = 'The API key is missing or not valid. Send it once, in the header X-API-Key.'
export const faultMessage =
  'Something went wrong on our side. Try again; if it goes on, tell us the request id.'
export const unavailableMessage = 'The service cannot use its database right now.'
export const unchangedMessage = 'Nothing was changed; try again.'
