/** Special accounts: all, specified, and the virtual accounts; and where the templates of accounts are. */
import { t } from '../../text.ts'

const words = {
  '@ALL': 'accountsAll',
  '@SPEC': 'accountsSpec',
  '@INPUT': 'accountsInput',
  '@USER': 'accountsUser',
  '@ANON': 'accountsAnon',
} as const
export type SpecialAccount = keyof typeof words

export const specialAccounts = Object.keys(words) as SpecialAccount[]

export const isSpecialAccount = (name: string): name is SpecialAccount => name in words

/** The label of a special account; a username is its own label. */
export const accountWord = (name: string): string => (isSpecialAccount(name) ? t(words[name]) : name)

export const templatesUrl = '/api/v1/accounts/account-templates/'
