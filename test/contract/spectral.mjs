// Judges the document: no error or warning of spectral:oas, and no OWASP error except those in owasp-exceptions.mjs.
import { readFileSync } from 'node:fs'
import spectral from '@stoplight/spectral-core'
import owasp from '@stoplight/spectral-owasp-ruleset'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'
import { exceptions } from './owasp-exceptions.mjs'

const document = readFileSync(new URL('../golden/openapi.json', import.meta.url), 'utf8')

const judging = new spectral.Spectral()
// document.test.ts judges the examples, in a tenth of the time.
const examples = { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' }
judging.setRuleset({ extends: [rulesets.oas, owasp.default ?? owasp], rules: examples })
const results = await judging.run(new spectral.Document(document, parsers.Json))
const found = results.filter(
  (result) => !/^owasp:/.test(result.code) || (result.severity === 0 && !isExcused(result)),
)
for (const { code, path, message } of found)
  process.stderr.write(`${code} at ${path.join('/')}: ${message}\n`)
if (found.length > 0) process.exitCode = 1

function isExcused({ code, path }) {
  const at = path.join('/')
  return exceptions.some(({ rule, where }) => rule === code && where.test(at))
}
