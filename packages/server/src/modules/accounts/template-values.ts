import { accountsMessages } from '@castellan/contract/messages/accounts'
import { errors } from '@castellan/contract/messages/errors'
import type { SecretType } from '@castellan/contract/protocols'
import type { Context } from '../../kernel/context.ts'
import { badRequest, invalid, quoted, text as say } from '../../kernel/errors.ts'
import { type AnyRow, normalUuid } from '../../kernel/fields/index.ts'
import { findResource } from '../../kernel/resource.ts'
import { scoped } from '../../kernel/rows.ts'
import { randomSecret } from './secret-rules.ts'

/** The secret a template gives: its own, or a fresh one. */
export function templateSecret(ctx: Context, template: AnyRow): string {
  if (template.secret_strategy !== 'random') return template.secret ? ctx.services.vault.open(template.secret) : ''
  const secret = randomSecret(template.secret_type as SecretType, template.password_rules)
  if (secret === undefined) throw badRequest(say(accountsMessages.password_rules_invalid))
  return secret
}

/**
 * A body with the values of the template it names; those win over what was sent (accounts.md §2.2).
 * @param named what an account is called by the name of its template
 */
export async function fromTemplate(
  ctx: Context,
  input: AnyRow,
  named: (template: string) => string = (template) => template,
): Promise<AnyRow> {
  const sent = typeof input.template === 'object' && input.template !== null ? input.template.id : input.template
  if (!sent) return input
  const resource = findResource('accounts.accounttemplate')
  const id = normalUuid(sent)
  // Many bodies of a call name the same one.
  const found = id
    ? await ctx.once(`accounts.template:${id}`, () => scoped(ctx, resource).where('t.id', '=', id).executeTakeFirst())
    : undefined
  if (!found) throw invalid({ template: say(errors.does_not_exist, { pk: quoted(sent) }) })
  const template = resource.decode(found)
  return {
    ...input,
    template: template.id,
    name: named(template.name),
    username: template.username,
    secret_type: template.secret_type,
    secret: templateSecret(ctx, template),
    passphrase: undefined,
    privileged: template.privileged,
    is_active: template.is_active,
    source: 'template',
    source_id: template.id,
    su_template: template.su_from_id,
  }
}

/** Links new accounts of a template to the account on the same asset that fits the template's own `su_from`. */
export async function resolveSuFrom(ctx: Context, inputs: readonly AnyRow[], made: readonly AnyRow[]): Promise<void> {
  for (const [index, input] of inputs.entries()) {
    const row = made[index]
    if (!row || !input.su_template) continue
    const wanted = await ctx.unscoped
      .selectFrom('accounts_accounttemplate')
      .select(['username', 'secret_type'])
      .where('id', '=', input.su_template)
      .executeTakeFirst()
    if (wanted) await linkSuFrom(ctx, row, wanted as { username: string; secret_type: string })
  }
}

/** Sets `su_from` of an account to its sibling with a username and type of secret, if the platform allows switching. */
export async function linkSuFrom(
  ctx: Context,
  row: AnyRow,
  wanted: { username: string; secret_type: string },
): Promise<void> {
  const sibling = await ctx.unscoped
    .selectFrom('accounts_account as x')
    .innerJoin('assets_asset as a', 'a.id', 'x.asset_id')
    .innerJoin('assets_platform as p', 'p.id', 'a.platform_id')
    .select('x.id')
    .where('x.asset_id', '=', row.asset_id)
    .where('x.id', '!=', row.id)
    .where('x.username', '=', wanted.username)
    .where('x.secret_type', '=', wanted.secret_type)
    .where('p.su_enabled', '=', true)
    .executeTakeFirst()
  if (!sibling) return
  await ctx.unscoped.updateTable('accounts_account').set({ su_from_id: sibling.id }).where('id', '=', row.id).execute()
}
