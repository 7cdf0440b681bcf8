import { notificationsMessages } from '@castellan/contract/messages/notifications'
import { defineModule } from '../../kernel/module/module.ts'
import { chatTestRoutes, sendChat } from './chats/index.ts'
import { userLanguageTable } from './languages.ts'
import { sendMail } from './mail.ts'
import { mailTestRoute } from './mail-test.ts'
import { chatAddresses, chats, commandWatchers, dingtalk, feishu, mailServer, wecom } from './settings.ts'
import { siteMessage } from './site-message.ts'
import { siteMessageRoutes } from './site-message-routes.ts'
import { smsTestRoute } from './sms/send.ts'
import { alibaba, cmpp2, customSms, huawei, shortMessages, smsAddresses, smsTest, tencent } from './sms/settings.ts'
import { followSiteMessages, siteMessageSocket } from './socket.ts'
import { subscriptionRoutes } from './subscription-routes.ts'
import { systemSubscriptionRoutes } from './system-subscription-routes.ts'
import { notifySubscribers, systemSubscriptionTable } from './system-subscriptions.ts'
import { contentTable, userSubscriptionTable } from './tables.ts'

export { chatApp, chatServices, isChatOn } from './chats/index.ts'
export { type ChatName, type ChatPerson, ChatRefused, type ChatService, chatValues } from './chats/service.ts'
export { byLanguage, rememberLanguage } from './languages.ts'
export { canMail, deliver, loginTitle, queueMails } from './mail.ts'
export { escapeHtml, mailsOf, type Notice, notifyUsers } from './notify.ts'
export { presentSessions } from './presence.ts'
export { chats, commandWatchers, mailServer } from './settings.ts'
export { type SiteMessage, sendSiteMessage, siteMessagesSent } from './site-messages.ts'
export { canText, sendCodeBySms } from './sms/send.ts'
export { shortMessages } from './sms/settings.ts'
export { receiveBackendsOf, subscribeUsers } from './subscriptions.ts'
export type { SystemMessageType } from './system-subscriptions.ts'
export { notifySubscribers }

export const notifications = defineModule({
  app: 'notifications',
  texts: notificationsMessages,
  resources: [siteMessage],
  routes: [
    ...siteMessageRoutes,
    ...subscriptionRoutes,
    ...systemSubscriptionRoutes,
    mailTestRoute,
    smsTestRoute,
    ...chatTestRoutes,
  ],
  settings: [
    mailServer,
    chats,
    wecom,
    dingtalk,
    feishu,
    chatAddresses,
    commandWatchers,
    ...[shortMessages, smsTest, alibaba, tencent, huawei, cmpp2, customSms, smsAddresses],
  ],
  sockets: [siteMessageSocket],
  tables: [contentTable, userSubscriptionTable, userLanguageTable, systemSubscriptionTable],
  jobs: [sendMail, sendChat],
  start: followSiteMessages,
})
