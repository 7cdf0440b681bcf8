import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import rules from '../../.dependency-cruiser.mjs'
import { checkImports } from './imports.ts'

const server = 'packages/server/src'
const gateway = 'packages/gateway/src'
const console_ = 'packages/console/src'

/** For each rule an import that violates it: file, imported file. All in one tree. */
const breaches: Record<string, [file: string, imported: string]> = {
  'no-circular': [`${server}/kernel/one.ts`, './two.ts'],
  'no-orphans': [`${gateway}/alone.ts`, ''],
  'not-resolvable': [`${server}/kernel/lost.ts`, './nowhere.ts'],
  'packages-by-their-exports': [`${gateway}/brokering/deep.ts`, '../../../contract/src/ids.ts'],
  'contract-stands-alone': ['packages/contract/src/leans.ts', '../../server/src/kernel/one.ts'],
  'contract-runs-in-the-browser': ['packages/contract/src/reads.ts', 'node:fs'],
  'testing-only-from-tests': [`${server}/kernel/uses-testing.ts`, '../../../testing/src/parts.ts'],
  'testing-starts-from-outside': ['packages/testing/src/inside.ts', '../../server/src/kernel/one.ts'],
  'db-below-everything': [`${server}/db/up.ts`, '../kernel/one.ts'],
  'kernel-knows-no-module': [`${server}/kernel/knows.ts`, '../modules/users/index.ts'],
  'modules-through-their-index': [`${server}/modules/perms/deep.ts`, '../users/user.ts'],
  'only-main-lists-modules': [`${server}/elsewhere.ts`, './modules/users/index.ts'],
  'protocols-under-the-broker': [`${gateway}/protocols/ssh/other.ts`, '../sftp/index.ts'],
  'broker-knows-no-protocol': [`${gateway}/brokering/knows.ts`, '../protocols/sftp/index.ts'],
  'kit-knows-no-screen': [`${console_}/kit/knows.ts`, '../screens/users/index.ts'],
  'browser-knows-no-kit': [`${console_}/browser/knows.ts`, '../kit/one.ts'],
  'domain-on-the-kit': [`${console_}/domain/users/knows.ts`, '../../screens/users/index.ts'],
  'screens-on-the-kit': [`${console_}/screens/assets/other.ts`, '../users/index.ts'],
  'app-through-screens-index': [`${console_}/app/deep.ts`, '../screens/users/list.ts'],
  'programs-stay-apart': [`${console_}/kit/server.ts`, '../../../server/src/kernel/one.ts'],
  'one-http-server': [`${server}/modules/users/http.ts`, 'fastify'],
  'one-database-access': [`${server}/modules/users/sql.ts`, 'node:sqlite'],
  'databases-as-assets': [`${server}/modules/users/database.ts`, 'mysql2'],
  'no-processes': [`${server}/modules/users/process.ts`, 'node:child_process'],
}
const targets = [
  'packages/contract/src/ids.ts',
  'packages/testing/src/parts.ts',
  `${server}/modules/users/index.ts`,
  `${server}/modules/users/user.ts`,
  `${gateway}/protocols/sftp/index.ts`,
  `${console_}/kit/one.ts`,
  `${console_}/screens/users/index.ts`,
  `${console_}/screens/users/list.ts`,
]

let folder: string
let found: Awaited<ReturnType<typeof checkImports>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'imports-'))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  for (const file of targets) write(file, 'export const it = 1\n')
  for (const [file, imported] of Object.values(breaches))
    write(file, imported ? `export * from '${imported}'\n` : 'export {}\n')
  write(`${server}/kernel/two.ts`, "export * from './one.ts'\n")
  write('tsconfig.base.json', '{}')
  symlinkSync(join(import.meta.dirname, '../../node_modules'), join(folder, 'node_modules'))
  found = await checkImports(folder, ['packages'], {
    ...rules,
    options: { ...rules.options, tsConfig: { fileName: join(folder, 'tsconfig.base.json') } },
  })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('import rules', () => {
  it.each(Object.entries(breaches))('%s finds its violation', (rule, [file]) => {
    expect(
      found.problems.filter((problem) => problem.startsWith(`${file} `) && problem.includes(`(${rule}:`)),
    ).not.toEqual([])
  })

  it('have a violation each', () => {
    expect(Object.keys(breaches).sort()).toEqual((rules.forbidden ?? []).map((rule) => rule.name).sort())
  })

  it('cover every file', () => {
    for (const file of [...targets, ...Object.values(breaches).map(([one]) => one)])
      expect(found.modules).toContain(file)
  })
})
