import { aclsMessages } from '@castellan/contract/messages/acls'
import { defineModule } from '../../kernel/module.ts'
import { commandFilterAcl } from './command-filter.ts'
import { commandGroup } from './command-group.ts'

export { type CommandFilter, commandFiltersFor } from './command-filter.ts'

export const acls = defineModule({ app: 'acls', texts: aclsMessages, resources: [commandGroup, commandFilterAcl] })
