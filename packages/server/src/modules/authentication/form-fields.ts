import { confirmTypes, mfaTypes, recoveryWays } from '@castellan/contract/choices/authentication'
import { computed, datetime, rawChoice, text } from '../../kernel/fields/index.ts'

/** Fields of the sign-in calls, for OPTIONS and parsing. */
export const signInFields = {
  username: text({ writeOnly: true, nullable: true, verbatim: true }),
  password: text({ writeOnly: true, nullable: true, verbatim: true }),
  public_key: text({ writeOnly: true, nullable: true }),
  token: text({ readOnly: true }),
  keyword: computed('field', {}),
  date_expired: datetime({ readOnly: true }),
}

export const confirmFields = {
  confirm_type: rawChoice(confirmTypes, { required: true }),
  mfa_type: rawChoice(mfaTypes),
  secret_key: text({ writeOnly: true }),
}

/** Both keys are sent, whichever way is chosen. */
export const sendCodeFields = {
  form_type: rawChoice(recoveryWays, { default: 'email' }),
  email: text({ required: true, blank: true }),
  sms: text({ required: true, blank: true }),
}

export const selectFields = { type: text({ required: true }), username: text() }

export const passwordFields = { password: text({ required: true, writeOnly: true, verbatim: true }) }
