import { type ConnectError, gatewayReason } from '@castellan/contract/connect-reasons'
import { type Message, say } from '@castellan/contract/messages'
import { gatewayMessages } from '@castellan/contract/messages/gateway'
import type { FailedGateway } from './fastest-gateway.ts'
import { NoGatewayAccount, type SshGateway } from './gateway.ts'

/** Why no gateway could be used, each with its own reason. */
export function gatewaysReason(
  failed: readonly FailedGateway<SshGateway>[],
  reasonOf: (error: unknown) => Message = reasonOfGateway,
): Message {
  const text = (language: 'en' | 'zh' | 'ja') =>
    failed
      .map(({ gateway: { name }, error }) =>
        say(gatewayMessages.reasonGateway, language, { name, reason: reasonOf(error)[language] }),
      )
      .join(language === 'en' ? ', ' : '、')
  return { en: text('en'), zh: text('zh'), ja: text('ja') }
}

export const reasonOfGateway = (error: unknown): Message =>
  error instanceof NoGatewayAccount ? gatewayMessages.reasonNoGatewayAccount : gatewayReason(error as ConnectError)
