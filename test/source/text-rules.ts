import { matches, type Rule } from './rule.ts'

// The forbidden words are spelled in pieces here, so that these rules pass this file too.
const path = 'docs/a.md'

const unfinished = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')})\\b`, 'g')

export const nothingUnfinished: Rule = {
  title: 'nothing is marked as unfinished',
  covers: isWritten,
  offences: (file) => matches(file, unfinished, 'unfinished'),
  planted: [
    { path: 'src/a.ts', text: `// ${['TO', 'DO'].join('')}: later` },
    { path, text: `${['FIX', 'ME'].join('')} this` },
  ],
  innocent: [{ path, text: 'the todo list; a fixme' }],
}

const machinePath = /(?<![\w.}\])-])(\/(home|Users|root|work|tmp|mnt)|[A-Z]:\\+Users)[/\\]+[\w.-]+/g

export const noMachinePaths: Rule = {
  title: 'no file names a path of one machine',
  covers: isWritten,
  offences: (file) => matches(file, machinePath, 'a path of one machine'),
  planted: ['home', 'Users', 'root', 'work', 'tmp', 'mnt']
    .map((folder) => `"${['', folder, 'ann'].join('/')}"`)
    .concat(['C:', 'Users', 'ann'].join('\\'))
    .map((text) => ({ path, text })),
  innocent: [
    { path, text: 'https://example.test/home/page' },
    { path, text: "import { work } from '../work/work.ts'" },
    { path, text: '/var/lib/custody/custody.db' },
  ],
}

const registry = /\bregistry\.[a-z]+\.[a-z]+|\b(npm\.pkg\.github|artifactory|verdaccio|jfrog|nexus)\b[.:/]/gi

export const noRegistryHosts: Rule = {
  title: 'no file names the host packages came from',
  covers: (file) => isWritten(file) || file === 'package-lock.json',
  offences: (file) => matches(file, registry, 'a registry host'),
  planted: [
    { path: '.npmrc', text: `registry=https://${['registry', 'npmjs', 'org'].join('.')}/` },
    { path: 'package-lock.json', text: `https://${['npm', 'pkg', 'github', 'com'].join('.')}/x` },
  ],
  innocent: [{ path, text: 'omit-lockfile-registry-resolved=true; a package registry' }],
}

export const noResolvedAddresses: Rule = {
  title: 'the lockfile keeps no download addresses',
  covers: (file) => file === 'package-lock.json',
  offences: (file) => matches(file, /^\s*"resolved":.*$/gm, 'an address'),
  planted: [{ path: 'package-lock.json', text: '{\n  "resolved": "https://example.test/a.tgz"\n}' }],
  innocent: [{ path: 'package-lock.json', text: '{\n  "integrity": "sha512-x"\n}' }],
}

const sharedFolder = new RegExp(['\\.\\.', 'shared\\b'].join('/'), 'g')

export const nothingOutsideTheProject: Rule = {
  title: 'nothing refers to the folder next to the project',
  covers: isWritten,
  offences: (file) => matches(file, sharedFolder, 'next to the project'),
  planted: [{ path, text: `see ${['..', 'shared', 'spec.md'].join('/')}` }],
  innocent: [{ path, text: 'a shared connection' }],
}

function isWritten(file: string): boolean {
  return file !== 'package-lock.json'
}
