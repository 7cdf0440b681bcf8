import { defineModule } from '../../kernel/module.ts'
import { clusterTreeRoute } from './cluster-tree.ts'
import { tokenRoutes } from './routes.ts'
import { connectionToken, superConnectionToken } from './token.ts'

/**
 * Connection tokens of app `authentication`. They stand on accounts, permissions, rules and components, which stand on
 * sign-in, so they have a folder of their own.
 */
export const connectionTokens = defineModule({
  app: 'authentication',
  resources: [connectionToken, superConnectionToken],
  routes: [...tokenRoutes, clusterTreeRoute],
})
