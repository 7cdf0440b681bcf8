import { defineModule } from '../../kernel/module.ts'
import { user } from './user.ts'
import { userGroup } from './user-group.ts'

export { profileOf } from './profile.ts'
export { user, userGroup }

export const users = defineModule({ app: 'users', resources: [user, userGroup] })
