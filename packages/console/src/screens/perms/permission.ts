import { pathOf } from '@castellan/contract/routes'
import { t } from '../../kit/text.ts'

export const url = '/api/v1/perms/asset-permissions/'
export const path = pathOf('AssetPermissionList')

const words = {
  '@ALL': 'accountsAll',
  '@SPEC': 'accountsSpec',
  '@INPUT': 'accountsInput',
  '@USER': 'accountsUser',
  '@ANON': 'accountsAnon',
} as const

/** The word of a virtual account, a username as it is. */
export const accountWord = (name: string): string => {
  const key = words[name as keyof typeof words]
  return key ? t(key) : name
}
