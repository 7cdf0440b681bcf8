// Which files a run of the tests has. Vitest's configuration, the run and the gate over the lists read it here.
import { sample } from '../../packages/testing/src/sample.ts'

/** Where the server's test files are; the lists below name paths in it. */
export const serverFolder = 'packages/server/src/'

/**
 * What PostgreSQL can decide otherwise than SQLite: dialects, transactions, locks, orders, plans. These files run on both
 * databases with every change.
 */
export const onBothDatabases = [
  'db/',
  'kernel/events/',
  'kernel/jobs/',
  'kernel/lists/',
  'kernel/resource/',
  'kernel/resource-conformance/',
  'modules/acls/rule-agreement.test.ts',
  'modules/audits/',
  'modules/assets/nodes/',
  'modules/perms/',
  'modules/rbac/',
  'modules/terminal/commands/',
] as const

/** The rest of what uses a database: a fifth of these files runs on PostgreSQL with every change, all in `test:all`. */
export const onPostgresBySample = ['kernel/', 'modules/'] as const
const sampleShares = 5

/** Files whose subject is no database, or which open one of their own: PostgreSQL would see the same once more. */
export const withoutPostgres: Readonly<Record<string, string>> = {
  'db/coalesced.test.ts': 'a function without a database',
  'db/idle-checkpoint.test.ts': 'the log of SQLite',
  'db/shared-commit.test.ts': 'opens SQLite itself',
  'db/sqlite.test.ts': 'SQLite itself',
  'kernel/files/hostile-tables.test.ts': 'workbooks only',
  'kernel/files/locked-table.test.ts': 'workbooks only',
  'kernel/files/workbook.test.ts': 'workbooks only',
  'kernel/jobs/group-read.test.ts': 'a function without a database',
  'kernel/module/hooks.test.ts': 'functions without a database',
  'kernel/resource/declarations.test.ts': 'declarations only',
  'kernel/resource/row-id.test.ts': 'a function without a database',
  'kernel/security/outgoing-addresses.test.ts': 'a function without a database',
  'kernel/settings/setting-groups.test.ts': 'declarations only',
  'modules/acls/pattern.test.ts': 'patterns only',
  'modules/cloud/providers/public-clouds.test.ts': 'answers of providers only',
  'modules/cloud/providers/signatures.test.ts': 'signatures only',
  'modules/notifications/mail-protection.test.ts': 'mail only',
  'modules/notifications/sms/signatures.test.ts': 'signatures only',
  'modules/ops/run/command-rules.test.ts': 'command rules only',
  'kernel/untrusted/bounded-lines.test.ts': 'no database',
  'kernel/untrusted/key-cost.test.ts': 'no database',
  'kernel/untrusted/parse-bounded.test.ts': 'no database',
  'modules/ops/playbook-run/playbook-run.test.ts': 'Ansible in its sandbox; executions of jobs are in modules/ops/run',
  'modules/rbac/single-rights.test.ts': 'thousands of calls that are refused by what a caller holds',
  'modules/perms/coverage.test.ts': 'a function without a database',
  'modules/perms/effective.test.ts': 'a function without a database',
  'modules/tickets/state-machine.test.ts': 'a function without a database',
}

export type PostgresUse = 'always' | 'sample' | 'never'

const beginsWith = (prefixes: readonly string[], file: string) => prefixes.some((prefix) => file.startsWith(prefix))

/** Whether a test file of the server runs on PostgreSQL; undefined when no list says so. @param file below src/ */
export function postgresUse(file: string): PostgresUse | undefined {
  if (file in withoutPostgres) return 'never'
  if (beginsWith(onBothDatabases, file)) return 'always'
  return beginsWith(onPostgresBySample, file) ? 'sample' : undefined
}

/** The test files of the server that this run has on PostgreSQL. @param files below src/, all there are */
export function postgresFiles(files: readonly string[]): string[] {
  const of = (use: PostgresUse) => files.filter((file) => postgresUse(file) === use)
  return [...of('always'), ...sample(of('sample'), sampleShares, (file) => file)]
}
