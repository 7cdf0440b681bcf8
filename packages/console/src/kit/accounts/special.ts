/** Accounts that stand for others: all, those named, and the virtual ones. */
import { t } from '../text.ts'

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

/** The word of a special account, a username as it is. */
export const accountWord = (name: string): string => (isSpecialAccount(name) ? t(words[name]) : name)
