import { notificationsMessages } from '@castellan/contract/messages/notifications'
import { defineModule } from '../../kernel/module.ts'
import { siteMessage } from './site-message.ts'
import { siteMessageRoutes } from './site-message-routes.ts'
import { followSiteMessages, siteMessageSocket } from './socket.ts'
import { subscriptionRoutes } from './subscription-routes.ts'
import { contentTable, userSubscriptionTable } from './tables.ts'

export { escapeHtml, type Notice, notifyUsers } from './notify.ts'
export { type SiteMessage, sendSiteMessage, siteMessagesSent } from './site-messages.ts'
export { receiveBackendsOf, subscribeUsers } from './subscriptions.ts'

export const notifications = defineModule({
  app: 'notifications',
  texts: notificationsMessages,
  resources: [siteMessage],
  routes: [...siteMessageRoutes, ...subscriptionRoutes],
  sockets: [siteMessageSocket],
  tables: [contentTable, userSubscriptionTable],
  start: followSiteMessages,
})
