/** OWASP rules that the document deliberately breaks, with places and reasons. */
export const exceptions = [
  {
    rule: 'owasp:api8:2023-define-cors-origin',
    where: /./,
    why: 'Keys are for servers alone (part 5, rule 2): no browser is to call the service, so that no answer allows an origin.',
  },
  {
    rule: 'owasp:api4:2023-rate-limit',
    where: /\/responses\/(401|304)|openapi\.json/,
    why: 'Limits are counted by key. A 401 has none, and the document is given to anybody from memory.',
  },
  {
    rule: 'owasp:api4:2023-integer-format',
    where: /./,
    why: 'Every integer has a minimum and a maximum, which says more. int64 makes JavaScript generators choose bigint.',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: /\/parameters\/\d+\/schema$/,
    why: 'Identifiers, dates and times have a format; texts of a query are bounded by the line of a request, 16 KiB.',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: /(_id|_arrival_(start|end)|deliver_by|\/to|\/since|starting_after)(\/anyOf\/0)?$/,
    why: 'Identifiers, dates and times have a format.',
  },
  {
    rule: 'owasp:api4:2023-array-limit',
    where: /\/(event_types|lines)$/,
    why: 'A type that is given twice counts once, and a receipt is bounded by the units it brings; all of a body by 20 MiB.',
  },
  {
    rule: 'owasp:api4:2023-string-limit',
    where: /\/(responses|webhooks)\/|^(components|webhooks)\//,
    why: 'The rule is about what is sent to the service. What it answers is as long as what it took in.',
  },
  {
    rule: 'owasp:api4:2023-array-limit',
    where: /\/(responses|webhooks)\/|^(components|webhooks)\//,
    why: 'The rule is about what is sent to the service. What it answers is a page, or as long as what it took in.',
  },
]
