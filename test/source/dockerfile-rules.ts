import { at, type Rule, type SourceText } from './rule.ts'

type Instruction = { word: string; rest: string; offset: number }

/** The instructions of a Dockerfile; a comment may come between the lines of one. Here-documents are not supported. */
function instructionsOf(text: string): Instruction[] {
  const found: Instruction[] = []
  let offset = 0
  let isOpen = false
  for (const line of text.split('\n')) {
    const part = line.trim()
    if (part !== '' && !part.startsWith('#')) {
      const last = isOpen ? found.at(-1) : undefined
      if (last) last.rest = `${last.rest} ${part.replace(/\\$/, '').trim()}`.trim()
      else {
        const [word = ''] = part.split(/\s/)
        const rest = part.slice(word.length).replace(/\\$/, '').trim()
        found.push({ word: word.toUpperCase(), rest, offset })
      }
      isOpen = part.endsWith('\\')
    }
    offset += line.length + 1
  }
  return found
}

const known = new Set(
  'ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN STOPSIGNAL USER VOLUME WORKDIR'.split(' '),
)

/** Faults of an instruction, whatever precedes it. ADD, MAINTAINER, ONBUILD, and SHELL are deliberately unknown. */
function faultOf({ word, rest }: Instruction, stages: ReadonlySet<string>): string | undefined {
  if (!known.has(word)) return `${word} is not to be used`
  if (rest === '') return `${word} says nothing`
  if (word === 'FROM' && !stages.has(rest.split(' ')[0] ?? '') && !isPinned(rest))
    return `the base is not pinned to a version: ${rest}`
  if (word === 'ENTRYPOINT' && !isWords(rest)) return 'a shell would take the signals: use the form of a list'
  if (word === 'CMD' && !isWords(rest)) return 'a shell would take the signals: use the form of a list'
  if (word === 'HEALTHCHECK' && !isWords(rest.replace(/^.*?CMD\s/, ''))) return 'the check needs a shell'
  if (word === 'WORKDIR' && !rest.startsWith('/')) return `the folder is not absolute: ${rest}`
  if (word === 'RUN' && /\bsudo\b|\bapt-get upgrade\b|\bcurl\b|\bwget\b/.test(rest))
    return `what it makes is not the same each time: ${rest}`
  if (word === 'ENV' && /(?:password|secret|token|key)\w*=/i.test(rest))
    return 'a secret is kept in the image'
  return undefined
}

/** A whole version, or a digest. */
function isPinned(image: string): boolean {
  return /^\S+?(?::\d+\.\d+\.\d+(?:-[\w.-]+)?|@sha256:[\da-f]{64})(?:\s+AS\s+\S+)?$/i.test(image)
}

function isWords(rest: string): boolean {
  try {
    const words: unknown = JSON.parse(rest)
    return Array.isArray(words) && words.length > 0 && words.every((word) => typeof word === 'string')
  } catch {
    return false
  }
}

/** What the last stage, which is the image, must and must not have. */
function faultsOfImage(stage: readonly Instruction[]): string[] {
  const last = (name: string): string => stage.findLast(({ word }) => word === name)?.rest ?? ''
  const user = last('USER').split(':')[0] ?? ''
  return [
    ...(user === '' || user === 'root' || user === '0' ? ['the image runs as root'] : []),
    ...(last('HEALTHCHECK') === '' ? ['the image has no HEALTHCHECK'] : []),
    ...(last('ENTRYPOINT') === '' ? ['the image has no ENTRYPOINT'] : []),
    ...['CMD', 'ENTRYPOINT', 'HEALTHCHECK']
      .filter((name) => stage.filter(({ word }) => word === name).length > 1)
      .map((name) => `only the last ${name} counts`),
  ]
}

function offences(file: SourceText): string[] {
  const instructions = instructionsOf(file.text)
  const stages = new Set<string>()
  const found: string[] = []
  for (const each of instructions) {
    const fault = faultOf(each, stages)
    if (fault !== undefined) found.push(at(file, each.offset, fault))
    const [, name] = each.word === 'FROM' ? (/\sAS\s+(\S+)$/i.exec(each.rest) ?? []) : []
    if (name !== undefined) stages.add(name)
    const from = each.word === 'COPY' ? /--from=(\S+)/.exec(each.rest)?.[1] : undefined
    if (from !== undefined && !stages.has(from))
      found.push(at(file, each.offset, `there is no stage ${from} before`))
  }
  const start = instructions.findLastIndex(({ word }) => word === 'FROM')
  if (start < 0) return [...found, at(file, 0, 'nothing is built from')]
  const { offset = 0 } = instructions[start] ?? {}
  return [...found, ...faultsOfImage(instructions.slice(start)).map((what) => at(file, offset, what))]
}

const good = `FROM node:24.21.0-slim AS build
RUN npm ci
FROM node:24.21.0-slim
COPY --from=build /a /a
# not the first user
USER node
HEALTHCHECK --interval=15s \\
    CMD ["node", "-e", "0"]
ENTRYPOINT ["a"]
CMD ["serve"]
`
const changed = (from: string, to: string): SourceText => ({
  path: 'Dockerfile',
  text: good.replace(from, to),
})

export const imageIsSafe: Rule = {
  title:
    'the image is built from pinned bases, runs without root, tells its health and is started without a shell',
  covers: (path) => path === 'Dockerfile',
  offences,
  planted: [
    changed('node:24.21.0-slim AS', 'node AS'),
    changed('node:24.21.0-slim\nCOPY', 'node:latest\nCOPY'),
    changed('node:24.21.0-slim\nCOPY', 'node:24\nCOPY'),
    changed('COPY', 'ADD'),
    changed('--from=build', '--from=built'),
    changed('USER node\n', ''),
    changed('USER node', 'USER 0:0'),
    changed('USER node', 'USER node\nUSER root'),
    changed('USER node', 'WORKDIR app\nUSER node'),
    changed('["node", "-e", "0"]', 'node -e 0'),
    changed('["a"]', 'a'),
    changed('["a"]', "['a']"),
    changed('["serve"]', 'serve'),
    changed('CMD ["serve"]', 'CMD ["serve"]\nCMD ["other"]'),
    changed('HEALTHCHECK', 'ENV API_TOKEN=abc\nHEALTHCHECK'),
    changed('RUN npm ci', 'RUN wget -O - a.example | sh'),
    changed('RUN npm ci', 'RUNN npm ci'),
    { path: 'Dockerfile', text: good.replace(/HEALTHCHECK.*\n.*"0"\]\n/, '') },
    { path: 'Dockerfile', text: '# nothing\n' },
  ],
  innocent: [
    { path: 'Dockerfile', text: good },
    changed('node:24.21.0-slim\nCOPY', 'build\nCOPY'),
    changed('node:24.21.0-slim\nCOPY', `node@sha256:${'a'.repeat(64)}\nCOPY`),
  ],
}
