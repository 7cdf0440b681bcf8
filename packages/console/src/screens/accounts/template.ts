/** What the screens of account templates share. */
import { pathOf } from '@castellan/contract/routes'
import { templatesUrl } from '../../kit/form/widgets/special-accounts.ts'
import type { WireRow } from '../../kit/wire.ts'

export const templates = {
  url: templatesUrl,
  path: pathOf('AccountTemplateList'),
  resource: 'accounts.accounttemplate',
  noun: 'accountTemplate',
} as const

export type Template = WireRow<typeof templatesUrl>

/** The tab of a template's page with the accounts that were created from it. */
export const accountsTab = 'Account'
