import { describe, expect, it } from 'vitest'
import { imageIsSafe } from './dockerfile-rules.ts'
import { layers, noInputOutput, processesByExeca } from './layer-rules.ts'
import { folderOrder, namedPlaces } from './layout-rules.ts'
import { fileNames, namedExports, noMutedTests } from './naming-rules.ts'
import { noOtherOutlet, noSqlElsewhere, oneRuntime, rulesAreTold } from './purity-rules.ts'
import { linearExpressions } from './regexp-rules.ts'
import { offencesAmong, type Rule } from './rule.ts'
import { fileSize, functionSize } from './size-rules.ts'
import { ownEntriesOnly } from './table-rules.ts'
import {
  noMachinePaths,
  noRegistryHosts,
  noResolvedAddresses,
  nothingOutsideTheProject,
  nothingUnfinished,
} from './text-rules.ts'
import { projectFiles } from './tree.ts'
import { folderSize, noFileCircles, noFolderCircles, noUnusedExports, type TreeRule } from './tree-rules.ts'

const rules: Rule[] = [
  fileSize,
  functionSize,
  layers,
  noInputOutput,
  processesByExeca,
  oneRuntime,
  rulesAreTold,
  noSqlElsewhere,
  noOtherOutlet,
  linearExpressions,
  fileNames,
  namedExports,
  noMutedTests,
  nothingUnfinished,
  noMachinePaths,
  noRegistryHosts,
  noResolvedAddresses,
  nothingOutsideTheProject,
  imageIsSafe,
]
const treeRules: TreeRule[] = [
  folderSize,
  noFileCircles,
  noFolderCircles,
  folderOrder,
  namedPlaces,
  noUnusedExports,
  ownEntriesOnly,
]
const files = projectFiles()

describe.each(rules)('$title', (rule) => {
  it('holds in the whole project', () => {
    expect(offencesAmong(files, rule)).toEqual([])
  })

  it.each(rule.planted)('catches the offender planted in $path (%#)', (planted) => {
    expect(offencesAmong([planted], rule)).not.toEqual([])
  })

  it.each(rule.innocent)('accepts the innocent $path (%#)', (innocent) => {
    expect(offencesAmong([innocent], rule)).toEqual([])
  })

  it('every rule finds files to judge', () => {
    expect(files.filter((file) => rule.covers(file.path))).not.toEqual([])
  })
})

describe.each(treeRules)('$title', (rule) => {
  it('holds in the whole project', () => {
    expect(rule.offences(files)).toEqual([])
  })

  it.each(rule.planted)('catches the offender planted in a tree that begins with $path', (...planted) => {
    expect(rule.offences(planted)).not.toEqual([])
  })

  it.each(rule.innocent)('accepts the innocent tree that begins with $path', (...innocent) => {
    expect(rule.offences(innocent)).toEqual([])
  })
})
