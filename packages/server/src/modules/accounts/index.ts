import { accountsMessages } from '@castellan/contract/messages/accounts'
import { defineModule } from '../../kernel/module.ts'
import { account } from './account.ts'

export { account }

export const accounts = defineModule({ app: 'accounts', texts: accountsMessages, resources: [account] })
