import { describe, expect, it } from 'vitest'
import { coverageNamesFiles, linksLead, packagesAgree, variablesDocumented } from './agreement.ts'
import { noDuplicates } from './duplicates.ts'
import { type Gate, pretendRepository } from './gate.ts'
import { fewLongTests } from './long-tests.ts'
import { organizationsAreScoped } from './organization-scope.ts'
import { privateClasses } from './private-classes.ts'
import { restrictedImports } from './restricted-imports.ts'
import { tablesHaveOwners } from './table-owners.ts'
import { browsersHaveTheirFolder, postgresIsDecided } from './test-projects.ts'
import { folderNames, length, noMachinePaths, suppressions, switchedOff, tooLong } from './text-rules.ts'
import { catalogueUsed, changeNotes, faultsOf, noRawTexts, rawLiterals } from './texts.ts'
import { typeCycleProblems, typeCyclesOf } from './type-cycles.ts'
import { unboundedParsers } from './untrusted-parsers.ts'
import { unboundedStreams, unguardedMessages } from './untrusted-streams.ts'
import { fewUntypedRecords } from './untyped-records.ts'

const run = async (gate: Gate, texts: Record<string, string>) => gate.run(pretendRepository(texts))
/** A word that the gates search for, concatenated so that they do not find this file. */
const word = (...parts: string[]) => parts.join('')

describe('gates', () => {
  it('find checks that are disabled without a reason', async () => {
    const bad = [
      word('// biome', '-ignore lint/x: y'),
      word('// @ts', '-ignore'),
      word('// @ts', '-expect-error'),
      word('// TO', 'DO later'),
    ]
    for (const line of bad) expect(await run(suppressions, { 'a.ts': line }), line).toHaveLength(1)
    const good = word('// biome', '-ignore lint/x: the library types it so')
    expect(await run(suppressions, { 'a.ts': good })).toEqual([])
  })

  it('find tests that are skipped by another way than the parts they need', async () => {
    const bad = [
      word('it', '.skip("x")'),
      word('it', '.only("x")'),
      word('it', '.todo("x")'),
      word('describe', '.skipIf(!there)("x")'),
      word('describe.concurrent', '.runIf(there)("x")'),
      word('test.each([1])', '("x", { sk', 'ip: true }, body)'),
      word('it("x", (context) => context', '.skip())'),
      word('x', 'it("x")'),
    ]
    for (const line of bad)
      for (const file of ['packages/a/src/a.test.ts', 'e2e/forms.ts', 'e2e/a.check.ts'])
        expect(await run(switchedOff, { [file]: line }), line).toHaveLength(1)
    const good = ["describeWith('sshd', 'x', body)", 'const { only } = values', 'list.skip(3)']
    for (const line of good) expect(await run(switchedOff, { 'a.test.ts': line }), line).toEqual([])
  })

  it('find streams that are read without a bound', () => {
    const file = 'packages/server/src/a.ts'
    const found = (text: string, known: Record<string, string> = {}) =>
      unboundedStreams(pretendRepository({ [file]: text }), known)
    const listening = "stream.on('data', (part) => { all += part })"
    expect(found("import { createInterface } from 'node:readline'")).toHaveLength(1)
    expect(found(listening)).toHaveLength(1)
    expect(found(listening, { [file]: 'longestAnswer' })).toHaveLength(1)
    expect(found(`${listening} // longestAnswer`, { [file]: 'longestAnswer' })).toEqual([])
    expect(found('', { [file]: 'longestAnswer' })).toHaveLength(1)
    expect(unboundedStreams(pretendRepository({ 'packages/testing/src/a.ts': listening }), {})).toEqual([])
  })

  it('find parsers of documents that no thread runs and nothing bounds', () => {
    const [file, caller] = ['packages/server/src/a.ts', 'packages/server/src/b.ts']
    const parses = "import { parse } from 'yaml'"
    const calls = "export const read = boundedParser<typeof parse>(join(import.meta.dirname, 'a.ts'), 'parse', bounds)"
    const found = (texts: Record<string, string>, list: Parameters<typeof unboundedParsers>[1]) =>
      unboundedParsers(pretendRepository(texts), list)
    expect(found({ [file]: parses }, {})).toHaveLength(1)
    expect(found({ [file]: "const { parse } = await import('yaml')" }, {})).toHaveLength(1)
    expect(found({ [file]: parses }, { [`${file} yaml`]: 'thread' })).toHaveLength(1)
    expect(found({ [file]: parses, [caller]: calls }, { [`${file} yaml`]: 'thread' })).toEqual([])
    expect(found({ [file]: parses }, { [`${file} yaml`]: { because: 'it is short' } })).toEqual([])
    expect(found({ [file]: '' }, { [`${file} yaml`]: { because: 'it is short' } })).toHaveLength(1)
  })

  it('find listeners to messages whose errors would end the program', () => {
    const file = 'packages/gateway/src/a.ts'
    const found = (text: string, known: Record<string, string> = {}) =>
      unguardedMessages(pretendRepository({ [file]: text }), known)
    const listening = "socket.on('message', (data) => take(data))"
    expect(found(listening)).toHaveLength(1)
    expect(found(listening, { [file]: 'catch' })).toHaveLength(1)
    expect(found(`${listening} // catch`, { [file]: 'catch' })).toEqual([])
    expect(found("socket.on('message', () => silence.refresh())")).toEqual([])
  })

  it('find files that are too long, and known ones that grew or shrank', async () => {
    expect(await run(length, { 'a.ts': '\n'.repeat(501) })).toHaveLength(1)
    expect(await run(length, { 'a.ts': '\n'.repeat(500) })).toEqual([])
    const known = { 'a.ts': 600 }
    expect(tooLong(pretendRepository({ 'a.ts': '\n'.repeat(600) }), known)).toEqual([])
    for (const lines of [601, 599])
      expect(tooLong(pretendRepository({ 'a.ts': '\n'.repeat(lines) }), known)).toHaveLength(1)
    expect(tooLong(pretendRepository({}), known)).toHaveLength(1)
  })

  it('find catch-all folders, machine paths and download URLs', async () => {
    expect(await run(folderNames, { 'packages/x/src/utils/a.ts': '' })).toHaveLength(1)
    expect(await run(noMachinePaths, { 'a.md': 'see /nowhere/a' })).toHaveLength(1)
    expect(await run(noMachinePaths, { 'package-lock.json': '"resolved": "https://x/y.tgz"' })).toHaveLength(1)
    expect(await run(noMachinePaths, { '.npmrc': 'registry=https://x' })).toHaveLength(1)
  })

  it('find a copied block, not one that only looks alike', async () => {
    const block = (name: string) =>
      Array.from({ length: 20 }, (_, at) => `const ${name}${at} = call(${at}, 'x') + other.field`).join('\n')
    expect(await run(noDuplicates, { 'a.ts': block('a'), 'b.ts': `const before = 1\n${block('a')}` })).toEqual([
      expect.stringContaining('b.ts:2-21 stands in a.ts:1 too'),
    ])
    expect(await run(noDuplicates, { 'a.ts': block('a'), 'b.ts': block('b') })).toEqual([])
  })

  it('find packages that disagree with the lock file', async () => {
    const texts = (version: string, range: string) => ({
      'package.json': JSON.stringify({ version: '1.0.0', license: 'Apache-2.0' }),
      'packages/a/package.json': JSON.stringify({ version, license: 'Apache-2.0', dependencies: { x: range } }),
      'package-lock.json': JSON.stringify({ packages: { '': {}, 'packages/a': { dependencies: { x: '^1.0.0' } } } }),
    })
    expect(await run(packagesAgree, texts('1.0.0', '^1.0.0'))).toEqual([])
    expect(await run(packagesAgree, texts('2.0.0', '^1.0.0'))).toHaveLength(1)
    expect(await run(packagesAgree, texts('1.0.0', '^2.0.0'))).toHaveLength(1)
    const lock = (...names: string[]) =>
      JSON.stringify({
        packages: {
          '': {},
          'node_modules/b': { optionalDependencies: { c: '1' } },
          ...Object.fromEntries(names.map((name) => [name, {}])),
        },
      })
    const root = JSON.stringify({})
    expect(await run(packagesAgree, { 'package.json': root, 'package-lock.json': lock() })).toHaveLength(1)
    expect(await run(packagesAgree, { 'package.json': root, 'package-lock.json': lock('node_modules/c') })).toEqual([])
  })

  it('find undocumented variables and broken links', async () => {
    const source = `process.env.${word('CASTELLAN', '_XY')}`
    expect(await run(variablesDocumented, { 'packages/server/src/a.ts': source })).toHaveLength(1)
    expect(await run(variablesDocumented, { 'docs/configure.md': word('CASTELLAN', '_XY') })).toHaveLength(1)
    expect(
      await run(variablesDocumented, {
        'packages/server/src/a.ts': source,
        'docs/configure.md': word('CASTELLAN', '_XY'),
      }),
    ).toEqual([])
    expect(
      await run(linksLead, { 'docs/a.md': '[b](b.md) [c](https://c) [d](../README.md#x)', 'README.md': '' }),
    ).toHaveLength(1)
  })

  it('find files that the coverage of the specification names and that do not exist', async () => {
    const files = { 'e2e/lists.test.ts': '', 'packages/console/src/kit/page.tsx': '' }
    const table = (cells: string) => ({ ...files, 'docs/spec-coverage/a.md': `| lists | ${cells} |` })
    expect(await run(coverageNamesFiles, table('`e2e/lists` `kit/page.tsx` `console/src/kit/` `useTabs`'))).toEqual([])
    expect(await run(coverageNamesFiles, table('`e2e/list` `it/page.tsx` `kit/gone/`'))).toHaveLength(3)
  })

  it('find tests that no project decides about, and browsers among the programs', async () => {
    const file = 'packages/server/src/another/a.test.ts'
    const lists = await run(postgresIsDecided, { [file]: '' })
    expect(lists[0]).toContain(`${file} is in no list`)
    // Nothing the lists name is there.
    expect(lists.length).toBeGreaterThan(10)
    const browser = "import { openWindow } from '@castellan/testing/browser'"
    expect(
      await run(browsersHaveTheirFolder, { 'e2e/protocols/a.test.ts': browser, 'e2e/b.test.ts': browser }),
    ).toEqual(['e2e/protocols/a.test.ts uses a browser: it belongs in e2e/'])
  })

  it('find tests that may hang for longer than half a minute', async () => {
    const waits = (text: string) => run(fewLongTests, { 'e2e/a.test.ts': text })
    const unnamed = (found: string[]) => found.filter((line) => line.startsWith('e2e/a.test.ts'))
    for (const text of [
      "it('a', async () => {}, 60_000)",
      "it('a', { timeout: 31_000 }, run)",
      'page.waitFor({ timeout: 90000 })',
    ])
      expect(unnamed(await waits(text)), text).toHaveLength(1)
    for (const text of [
      "it('a', async () => {}, 30_000)",
      'socket.setTimeout(60_000)',
      "it('a', () => expect(90_000))",
    ])
      expect(unnamed(await waits(text)), text).toEqual([])
  })

  it('find texts that are unused, or lack a language or a placeholder', async () => {
    const catalogue = "export const m = defineMessages({ used: { en: '' }, unused: { en: '' } })"
    expect(
      await run(catalogueUsed, {
        'packages/contract/src/messages/a.ts': catalogue,
        'packages/server/src/a.ts': 'say(m.used)',
      }),
    ).toEqual(['packages/contract/src/messages/a.ts:1 nobody uses unused'])
    expect(faultsOf('k', { en: 'a {x}', zh: '{x} b', ja: 'c {x}' })).toEqual([])
    expect(faultsOf('k', { en: 'a {x}', zh: '{y} b', ja: 'c {x}' })).toHaveLength(1)
    expect(faultsOf('k', { en: 'a', zh: ' ', ja: 'c' })).toHaveLength(1)
  })

  it('find untranslated words in the markup', async () => {
    const shown = [
      '<b>Save now</b>',
      '<Input placeholder="Search" />',
      "<Input title={'Search me'} />",
      "<b>{'Save'}</b>",
    ]
    for (const line of shown) expect(rawLiterals('a.tsx', `export const A = () => ${line}`), line).toHaveLength(1)
    const fine = [
      '<b>{t("save")}</b>',
      '<b>SSH</b>',
      '<b> · </b>',
      '<b translate="no">ls src</b>',
      '<Input className="wide" type="text" />',
    ]
    for (const line of fine) expect(rawLiterals('a.tsx', `export const A = () => ${line}`), line).toEqual([])
    expect(await run(noRawTexts, { 'packages/server/src/a.ts': "const a = '保存'" })).toHaveLength(1)
  })

  it('find classes of Ant Design outside of their folder', async () => {
    const console_ = 'packages/console/src/'
    const bad = ['.sidebar > .ant-btn {', 'box.querySelector(".ant-modal")', "className='ant-picker-cell'"]
    for (const line of bad)
      for (const file of ['kit/list/list.css', 'kit/page.tsx'])
        expect(await run(privateClasses, { [console_ + file]: line }), line).toHaveLength(1)
    const good = ["import '../ant-design/shared.css'", '.relevant-part {', '@import "../ant-design/console.css";']
    for (const line of good) expect(await run(privateClasses, { [`${console_}a.css`]: line }), line).toEqual([])
    expect(await run(privateClasses, { [`${console_}ant-design/console.css`]: '.ant-btn {' })).toEqual([])
    expect(await run(privateClasses, { 'e2e/a.test.ts': 'page.locator(".ant-btn")' })).toEqual([])
  })

  it('find a second rule to what is dangerous', async () => {
    const bad: Record<string, string> = {
      'packages/server/src/modules/users/user.ts': "import { sql } from 'kysely'",
      'packages/server/src/modules/users/seal.ts': "import { createCipheriv as c } from 'node:crypto'",
      'packages/console/src/screens/users/list.tsx': "import { Table } from 'antd'",
      'packages/console/src/screens/users/ask.ts': "const a = await fetch('/api')",
      'packages/console/src/app/live.ts': "const a = new WebSocket('/ws')",
      'packages/gateway/src/token.ts': 'const token = Math.random()',
    }
    for (const [file, text] of Object.entries(bad))
      expect(await run(restrictedImports, { [file]: text }), file).toHaveLength(1)
    const good: Record<string, string> = {
      'packages/server/src/db/search.ts': "import { sql } from 'kysely'",
      'packages/server/src/modules/users/user.ts': "import { type sql, Kysely } from 'kysely'",
      'packages/console/src/kit/list/Table.tsx': "import { Table } from 'antd'",
      'packages/console/src/kit/api/client.ts': "const a = await fetch('/api')",
    }
    expect(await run(restrictedImports, good)).toEqual([])
  })

  it('find modules that import each other, also through others and for types only', () => {
    const graph = new Map([
      ['k/a.ts', ['k/b.ts', 'k/d.ts']],
      ['k/b.ts', ['k/c/c.ts']],
      ['k/c/c.ts', ['k/a.ts', 'node:fs']],
      ['k/d.ts', []],
    ])
    expect(typeCyclesOf(graph)).toEqual([['k/a.ts', 'k/b.ts', 'k/c/c.ts']])
    expect(typeCycleProblems(graph)).toHaveLength(1)
  })

  it('find release notes that are no single sentence', async () => {
    expect(await run(changeNotes, { 'changes/2026-01-31-good.md': 'added: Lists can be searched.\n' })).toEqual([])
    expect(await run(changeNotes, { 'changes/bad.md': 'added: Lists can be searched.\n' })).toHaveLength(1)
    expect(await run(changeNotes, { 'changes/2026-01-31-two.md': 'added: One.\nTwo.\n' })).toHaveLength(1)
  })

  it('find a module that names a table of another one, and a list of such places that is too long', async () => {
    const texts = {
      'packages/server/src/modules/orgs/organization.ts': "defineResource({ app: 'orgs', name: 'organization' })",
      'packages/server/src/modules/users/user.ts': "ctx.rawDb.selectFrom('orgs_organization as o')",
      'packages/server/src/modules/rbac/role.ts':
        "import { organization } from '../orgs/index.ts'\nctx.rawDb.selectFrom(organization.table)",
    }
    const places = (known: object) => ({
      'scripts/gates/known-places.json': JSON.stringify({ 'foreign-tables': known }),
    })
    const both = { 'users orgs_organization': 1, 'rbac orgs.organization': 1 }
    expect(await run(tablesHaveOwners, texts)).toHaveLength(2)
    expect(await run(tablesHaveOwners, { ...texts, ...places(both) })).toEqual([])
    expect(
      await run(tablesHaveOwners, { ...texts, ...places({ ...both, 'users orgs_organization': 2 }) }),
    ).toHaveLength(1)
  })

  it('find rows of organizations that are read without one', async () => {
    const file = 'packages/server/src/modules/assets/asset.ts'
    const declared = "export const asset = defineResource({ app: 'assets', name: 'asset', scope: 'org' })\n"
    const found = (code: string) => run(organizationsAreScoped, { [file]: declared + code })
    expect(await found("ctx.rawDb.selectFrom('assets_asset as t').selectAll().execute()")).toHaveLength(1)
    expect(await found('ctx.rawDb.deleteFrom(asset.table).execute()')).toHaveLength(1)
    expect(await found("ctx.acrossOrganizations.selectFrom('assets_asset').execute()")).toEqual([])
    expect(await found("ctx.rawDb.selectFrom('assets_asset').where('org_id', '=', ctx.orgId).execute()")).toEqual([])
    expect(await found("ctx.rawDb.selectFrom('assets_platform').execute()")).toEqual([])
  })

  it('find values without a type beyond those that are known', async () => {
    const text = `const a = (row: AnyRow, ${'other: Record<string, any>'}) => row`
    const known = { 'scripts/gates/known-places.json': '{"untyped-records":{"server":2}}' }
    expect(await run(fewUntypedRecords, { 'packages/server/src/a.ts': text })).toHaveLength(1)
    expect(await run(fewUntypedRecords, { 'packages/server/src/a.ts': text, ...known })).toEqual([])
  })
})
