import { accountsMessages } from '@castellan/contract/messages/accounts'
import { errors } from '@castellan/contract/messages/errors'
import type { SecretType } from '@castellan/contract/protocols'
import { batches } from '../../db/batches.ts'
import { updateRows } from '../../db/update-rows.ts'
import { keyOf, normalUuid, type StoredRow } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { badRequest, invalid, quoted, text as say } from '../../kernel/module/errors.ts'
import { decoded, scoped } from '../../kernel/resource/repository.ts'
import { findResource } from '../../kernel/resource/resource.ts'
import { templateCopy } from './copied-secret.ts'
import { accountsOfAssets } from './known-accounts.ts'
import { randomSecret } from './secret-rules.ts'
import type { TemplateRow } from './template.ts'

/** A new random secret by the rules of a template. */
export function freshSecret(template: Pick<TemplateRow, 'secret_type' | 'password_rules'>): string {
  const secret = randomSecret(template.secret_type as SecretType, template.password_rules)
  if (secret === undefined) throw badRequest(say(accountsMessages.password_rules_invalid))
  return secret
}

/**
 * A body merged with the values of the template it names, which take precedence.
 * @param named derives the account's name from the template's
 */
export async function fromTemplate(
  ctx: Context,
  input: StoredRow,
  named: (template: string) => string = (template) => template,
): Promise<StoredRow> {
  const sent = keyOf(input.template)
  // Callers must not set the origin of an account: accounts that follow a template get its secret.
  if (!sent) return { ...input, source: undefined, source_id: undefined }
  const resource = findResource('accounts.accounttemplate')
  const id = normalUuid(sent)
  // Many bodies of a call name the same template.
  const found = id
    ? await ctx.once(`accounts.template:${id}`, () => scoped(ctx, resource).where('t.id', '=', id).executeTakeFirst())
    : undefined
  if (!found) throw invalid({ template: say(errors.does_not_exist, { pk: quoted(sent) }) })
  const template = decoded(resource, found) as TemplateRow
  return {
    ...input,
    template: template.id,
    name: named(template.name),
    username: template.username,
    secret_type: template.secret_type,
    secret: template.secret_strategy === 'random' ? freshSecret(template) : await templateCopy(ctx, template),
    passphrase: undefined,
    privileged: template.privileged,
    is_active: template.is_active,
    source: 'template',
    source_id: template.id,
    su_template: template.su_from_id,
  }
}

/** A new account, and the sibling for `su_from` by username and type of secret. */
export interface SwitchWish {
  row: { id: string; asset_id: string }
  wanted: { username: string; secret_type: string }
}

/** Links new accounts of templates to the accounts on the same assets that match the templates' own `su_from`. */
export async function resolveSuFrom(
  ctx: Context,
  inputs: readonly StoredRow[],
  made: readonly Partial<SwitchWish['row']>[],
): Promise<void> {
  const wishes = inputs.flatMap(({ su_template }, index) =>
    su_template && made[index] ? [{ su_template, index }] : [],
  )
  const templates = new Map<unknown, SwitchWish['wanted']>()
  for (const some of batches([...new Set(wishes.map(({ su_template }) => su_template))]))
    for (const { id, username, secret_type } of await ctx.acrossOrganizations
      .selectFrom('accounts_accounttemplate')
      .select(['id', 'username', 'secret_type'])
      .where('id', 'in', some)
      .execute())
      templates.set(id, { username, secret_type })
  await linkSuFrom(
    ctx,
    wishes.flatMap(({ su_template, index }) => {
      const wanted = templates.get(su_template)
      return wanted ? [{ row: made[index] as SwitchWish['row'], wanted }] : []
    }),
  )
}

/** Sets `su_from` of accounts to siblings with a username and type of secret, where the platform allows switching. */
export async function linkSuFrom(ctx: Context, wishes: readonly SwitchWish[]): Promise<void> {
  const switching = new Set<unknown>()
  for (const some of batches([...new Set(wishes.map(({ row }) => row.asset_id))]))
    for (const { id } of await ctx.acrossOrganizations
      .selectFrom('assets_asset as a')
      .innerJoin('assets_platform as p', 'p.id', 'a.platform_id')
      .select('a.id')
      .where('a.id', 'in', some)
      .where('p.su_enabled', '=', true)
      .execute())
      switching.add(id)
  const known = await accountsOfAssets(ctx, switching as Set<string>)
  const linked = wishes.flatMap(({ row, wanted }) => {
    const sibling = known
      .get(row.asset_id)
      ?.find((one) => one.id !== row.id && one.username === wanted.username && one.secret_type === wanted.secret_type)
    return sibling ? [{ id: row.id, su_from_id: sibling.id }] : []
  })
  await updateRows(ctx.rawDb, ctx.dialect, findResource('accounts.account').shape, linked)
}
