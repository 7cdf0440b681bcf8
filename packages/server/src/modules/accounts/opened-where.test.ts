import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/**
 * Every file that opens stored secrets of accounts, templates, histories, records or plans. What is sent to an asset is
 * opened in `secret.ts` alone, which asks `destination.ts`; each of the others says why nothing leaves.
 */
const opening: Readonly<Record<string, string>> = {
  'accounts/secret.ts': 'decides for everything that is sent, and logs everything that is read',
  'accounts/history.ts': 'read by whoever may see secrets',
  'accounts/account-hooks.ts': 'compared with what was sent',
  'accounts/bulk-add.ts': 'compared with what was sent',
  'accounts/rotation/store.ts': 'kept in records',
  'accounts/rotation/record-routes.ts': 'read by whoever may see secrets',
  'accounts/rotation/report.ts': 'mailed to whom somebody chose who may see secrets',
  'accounts/rotation/automations.ts': 'of a plan, after `demandPlanned`',
  'accounts/rotation/plan-accounts.ts': 'declares how that of a plan is opened',
  'accounts/methods/session.ts': 'the key of a certificate, which is not sent',
  'accounts/backup/delivery.ts': 'the password of an archive',
  'accounts/vault/vault-routes.ts': 'the secrets of the vault itself',
  'accounts/vault/vault-entries.ts': 'declares how they are opened',
  'accounts/vault/vault-move.ts': 'moved between the database and the vault',
  'applets/hosts/agent-routes.ts': 'generated for the host whose component asks',
}

it('opens stored secrets in these places only', () => {
  const folder = join(import.meta.dirname, '..')
  const calls = /\b(?:vault\.open|openSecrets?|openReachableSecrets|specificSecret)\b/
  const isOpening = (name: string) =>
    !name.endsWith('.test.ts') &&
    !name.endsWith('accounts/index.ts') &&
    (name.startsWith('accounts') ? calls : /\bopenSecrets?\b/).test(readFileSync(join(folder, name), 'utf8'))
  const found = globSync('**/*.ts', { cwd: folder })
    .filter(isOpening)
    .map((name) => name.replaceAll('\\', '/'))
  expect(found.toSorted()).toEqual(Object.keys(opening).toSorted())
})
