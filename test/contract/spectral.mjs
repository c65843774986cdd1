// Judges the document: no error or warning of spectral:oas, and no OWASP error except those in owasp-exceptions.mjs.
import { readFileSync } from 'node:fs'
import spectral from '@stoplight/spectral-core'
import owasp from '@stoplight/spectral-owasp-ruleset'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'
import { exceptions } from './owasp-exceptions.mjs'

const document = readFileSync(new URL('../golden/openapi.json', import.meta.url), 'utf8')

const found = [
  ...(await judge(rulesets.oas)),
  ...(await judge(owasp.default ?? owasp)).filter((result) => result.severity === 0 && !isExcused(result)),
]
for (const { code, path, message } of found)
  process.stderr.write(`${code} at ${path.join('/')}: ${message}\n`)
if (found.length > 0) process.exitCode = 1

function judge(rules) {
  const judging = new spectral.Spectral()
  judging.setRuleset({ extends: [rules] })
  return judging.run(new spectral.Document(document, parsers.Json))
}

function isExcused({ code, path }) {
  const at = path.join('/')
  return exceptions.some(({ rule, where }) => rule === code && where.test(at))
}
