import { accountTaskActions } from '@castellan/contract/choices/accounts'
import { computed, describedAs, type Field, json, rawChoice, text } from '../../kernel/fields/index.ts'
import { accountFields } from './account-fields.ts'

const listOfIds: Field = { ...json({ nullable: true }), type: 'field' }
const optional = (field: Field): Field => ({ ...field, required: false, filter: false })

/** Fields for adding one account to many assets, for OPTIONS. */
export const bulkFields: Record<string, Field> = {
  name: optional(accountFields.name),
  username: optional(accountFields.username),
  secret: accountFields.secret,
  secret_type: optional(accountFields.secret_type),
  passphrase: accountFields.passphrase,
  privileged: describedAs(accountFields.privileged, { default: undefined }),
  is_active: describedAs(accountFields.is_active, { default: undefined }),
  comment: accountFields.comment,
  template: accountFields.template,
  on_invalid: accountFields.on_invalid,
  push_now: accountFields.push_now,
  assets: { ...listOfIds, required: true },
  su_from_username: text({ max: 128, writeOnly: true, nullable: true }),
  source: text({ max: 30 }),
  source_id: text({ max: 128, nullable: true }),
}

/** Fields of the account tasks, for OPTIONS. */
export const taskFields: Record<string, Field> = {
  action: rawChoice(accountTaskActions, { required: true, writeOnly: true }),
  accounts: listOfIds,
  task: computed('string', {}),
  params: json(),
}
