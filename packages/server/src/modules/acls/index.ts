import { aclsMessages } from '@castellan/contract/messages/acls'
import { on, provide } from '../../kernel/module/hooks.ts'
import { defineModule } from '../../kernel/module/module.ts'
import { accountUseRules } from '../accounts/index.ts'
import { signInJudged, signInReviews } from '../authentication/index.ts'
import { commandRules, connectMethodRules, joinRules } from '../terminal/index.ts'
import { automationUse } from './automation-use.ts'
import { commandFilterAcl, commandFiltersOfJoiner } from './command-filter.ts'
import { commandGroup } from './command-group.ts'
import { allowedMethods, connectMethodAcl } from './connect-method.ts'
import { mayJoin } from './join-use.ts'
import { judgeSignIn, loginAcl, loginReviews } from './login-acl.ts'
import { loginAssetAcl } from './login-asset.ts'
import { reviewRoutes } from './review-routes.ts'
import { ruleListener } from './rules-changed.ts'

export { type CommandFilter, commandFiltersFor, hasCommandFilters } from './command-filter.ts'
export { refusedMethods } from './connect-method.ts'
export { settleConnection } from './connection.ts'
export { type DecidedUse, type LoginAssetRule, recordRule } from './login-asset.ts'
export { longestCommand, reviewJobCommand, reviewJobUse } from './reviews.ts'
export { rulesChanged } from './rules-changed.ts'
export { AccountUses, type AskedUse, type Use, type UseProblem, UseRefused, type Using } from './use-account.ts'

export const acls = defineModule({
  app: 'acls',
  texts: aclsMessages,
  resources: [loginAcl, commandGroup, commandFilterAcl, loginAssetAcl, connectMethodAcl],
  routes: reviewRoutes,
  listens: [on(signInJudged, judgeSignIn), ruleListener],
  provides: [
    provide(connectMethodRules, allowedMethods),
    provide(signInReviews, loginReviews),
    provide(commandRules, commandFiltersOfJoiner),
    provide(joinRules, mayJoin),
    provide(accountUseRules, automationUse),
  ],
})
