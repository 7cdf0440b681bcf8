import { accountsMessages } from '@castellan/contract/messages/accounts'
import { errors } from '@castellan/contract/messages/errors'
import { boolean, type Field, integer, json } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { invalid, text as say } from '../../kernel/module/errors.ts'
import { fieldsInfo } from '../../kernel/resource/metadata.ts'
import type { PasswordRules } from './secret-rules.ts'

const ruleDefaults = { length: 16, lowercase: true, uppercase: true, digit: true, symbol: true }

const ruleFields: Record<string, Field> = {
  length: integer({ min: 8, max: 30, default: ruleDefaults.length }),
  lowercase: boolean({ default: true }),
  uppercase: boolean({ default: true }),
  digit: boolean({ default: true }),
  symbol: boolean({ default: true }),
}

/** How random passwords are made. */
export const passwordRulesField = () => ({
  ...json<PasswordRules>({ default: ruleDefaults, shape: 'object', resets: false }),
  type: 'nested object' as const,
  meta: (ctx: Context) => ({ children: fieldsInfo(ctx, 'accounts', ruleFields) }),
})

/** The sent rules with the defaults of those that are missing. Throws 400 for rules that make no password. */
export function checkedRules(rules: PasswordRules): PasswordRules {
  const full = { ...ruleDefaults, ...rules }
  if (!Number.isInteger(full.length) || full.length < 8 || full.length > 30)
    throw invalid({ password_rules: { length: [say(accountsMessages.password_rules_invalid)] } })
  if (typeof (full.exclude_symbols ?? '') !== 'string')
    throw invalid({ password_rules: { exclude_symbols: [say(errors.not_a_string)] } })
  return full
}
