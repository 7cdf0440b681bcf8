import { coverageNamesFiles, linksLead, packagesAgree, variablesDocumented } from './agreement.ts'
import { noDuplicates } from './duplicates.ts'
import type { Gate } from './gate.ts'
import { imports } from './imports.ts'
import { fewLongTests } from './long-tests.ts'
import { organizationsAreScoped } from './organization-scope.ts'
import { privateClasses } from './private-classes.ts'
import { restrictedImports } from './restricted-imports.ts'
import { tablesHaveOwners } from './table-owners.ts'
import { browsersHaveTheirFolder, postgresIsDecided } from './test-projects.ts'
import { folderNames, length, noMachinePaths, suppressions, switchedOff } from './text-rules.ts'
import { catalogueComplete, catalogueUsed, changeNotes, noRawTexts } from './texts.ts'
import { biome, typeChecks } from './tools.ts'
import { untrustedParsers } from './untrusted-parsers.ts'
import { untrustedStreams } from './untrusted-streams.ts'
import { fewUntypedRecords } from './untyped-records.ts'

/**
 * Every gate, the fastest first.
 * @param files of the repository
 */
export function gates(files: readonly string[]): Gate[] {
  return [
    folderNames,
    length,
    suppressions,
    switchedOff,
    noMachinePaths,
    packagesAgree,
    variablesDocumented,
    linksLead,
    coverageNamesFiles,
    changeNotes,
    postgresIsDecided,
    browsersHaveTheirFolder,
    fewLongTests,
    catalogueComplete,
    catalogueUsed,
    noRawTexts,
    privateClasses,
    restrictedImports,
    tablesHaveOwners,
    organizationsAreScoped,
    untrustedStreams,
    untrustedParsers,
    fewUntypedRecords,
    noDuplicates,
    biome,
    imports,
    ...typeChecks(files),
  ]
}
