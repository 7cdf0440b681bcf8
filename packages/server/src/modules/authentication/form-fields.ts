import { confirmTypes, mfaTypes } from '@castellan/contract/choices/authentication'
import { computed, datetime, rawChoice, text } from '../../kernel/fields/index.ts'

/** What OPTIONS tells about the bodies of the sign-in calls. */
export const signInFields = {
  username: text({ writeOnly: true, nullable: true }),
  password: text({ writeOnly: true, nullable: true }),
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

export const selectFields = { type: text({ required: true }), username: text() }

export const passwordFields = { password: text({ required: true, writeOnly: true, verbatim: true }) }
