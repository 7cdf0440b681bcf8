import { secretStrategies, secretTypes } from '@castellan/contract/choices/accounts'
import { accountsMessages } from '@castellan/contract/messages/accounts'
import { protocolOf, type SecretType } from '@castellan/contract/protocols'
import {
  boolean,
  choice,
  computed,
  datetime,
  json,
  longText,
  many,
  nullableText,
  one,
  secret,
  text,
} from '../../kernel/fields/index.ts'
import { invalid, text as say } from '../../kernel/module/errors.ts'
import { defineResource, type ListQuery, type Row } from '../../kernel/resource/resource.ts'
import { creationFields } from './account-fields.ts'
import { settleSecret } from './account-hooks.ts'
import { checkedRules, passwordRulesField } from './password-rules.ts'
import { randomSecret } from './secret-rules.ts'
import { noteNewSecrets } from './vault/vault-move.ts'

/** Common values of accounts on many assets, with one shared secret or a generated one for each. */
export const templateDeclaration = {
  app: 'accounts',
  scope: 'org' as const,
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    username: text({ max: 128, blank: true, filter: true }),
    secret_type: choice(secretTypes, { default: 'password' }),
    secret: secret({ max: 40_960 }),
    passphrase: creationFields.passphrase,
    secret_strategy: choice(secretStrategies, { default: 'specific' }),
    password_rules: passwordRulesField(),
    spec_info: computed('field', {
      wire: (_value, _ctx, row: { fingerprint: string }) =>
        row.fingerprint ? { ssh_key_fingerprint: row.fingerprint } : {},
    }),
    su_from: one('accounts.accounttemplate', { attrs: ['id', 'name', 'username'], nullable: true }),
    push_params: json({ default: {} }),
    platforms: many('assets.platform', {
      through: 'accounts_accounttemplate_platforms',
      from: 'accounttemplate_id',
      to: 'platform_id',
      anyOrg: true,
    }),
    created_by: nullableText({ readOnly: true }),
    comment: longText(),
    privileged: boolean({ default: false }),
    is_active: boolean({ default: true }),
    auto_push: boolean({ default: false }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
  fieldOrder: [
    ...([
      'id',
      'name',
      'username',
      'secret_type',
      'secret',
      'passphrase',
      'spec_info',
      'created_by',
      'comment',
    ] as const),
    ...(['secret_strategy', 'password_rules', 'push_params', 'platforms', 'su_from'] as const),
  ],
  columns: { fingerprint: text() },
  unique: [['org_id', 'name']] as const,
  indexes: [['su_from_id']] as const,
  search: ['username', 'name'] as const,
  mini: ['id', 'name', 'username'] as const,
  defaultOrder: ['name'] as const,
  filters: {
    protocols: (_ctx: unknown, query: ListQuery, value: string) => {
      const types = new Set<SecretType>(value.split(',').flatMap((name) => protocolOf(name.trim())?.secretTypes ?? []))
      return query.where('t.secret_type', 'in', types.size > 0 ? [...types] : ['password'])
    },
  },
}

export const accountTemplate = defineResource({
  ...templateDeclaration,
  name: 'accounttemplate',
  path: 'account-templates',
  hooks: {
    validate(_ctx, changes) {
      for (const change of changes) {
        const { row, values } = change
        if (values.password_rules) row.password_rules = checkedRules(values.password_rules)
        if (values.secret_strategy === 'random') {
          const fresh = randomSecret(row.secret_type as SecretType, row.password_rules)
          if (fresh === undefined)
            throw invalid(
              row.secret_type === 'password'
                ? { password_rules: [say(accountsMessages.password_rules_invalid)] }
                : { secret_strategy: [say(accountsMessages.secret_not_generated)] },
            )
          values.secret = fresh
        }
        settleSecret(change)
      }
    },
    async afterSave(ctx, changes) {
      if (changes.some(({ row }) => row.secret)) await noteNewSecrets(ctx)
    },
  },
})

export type TemplateRow = Row<typeof accountTemplate>
