import { smsMessages } from '@castellan/contract/messages/sms'
import { normalPhone } from '../../../kernel/fields/index.ts'
import { isObject, own } from '../../../kernel/fields/safe-lookup.ts'
import { defineRoute, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, failureAs, text } from '../../../kernel/module/errors.ts'
import { reasonOf, storedValues, testedValues } from '../entered-values.ts'
import { SmsRefused, smsProviders } from './providers.ts'
import { shortMessages, smsAddresses } from './settings.ts'

type Provider = (typeof smsProviders)[string]

const chosen = (ctx: Context): Provider | undefined => own(smsProviders, shortMessages.of(ctx).SMS_BACKEND || 'alibaba')

/** Whether codes can be sent. */
export const canText = (ctx: Context): boolean => shortMessages.of(ctx).SMS_ENABLED && chosen(ctx) !== undefined

/**
 * Sends a code with the provider of the settings.
 * @param phone `+<country><number>`
 * @throws 400 `{error}` when it was not accepted; the reason is logged, since it is not for the user
 */
export async function sendCodeBySms(ctx: Context, phone: string, code: string): Promise<void> {
  const provider = chosen(ctx)
  if (!provider || !canText(ctx)) throw failureAs(400, 'error', text(smsMessages.not_set))
  try {
    await provider.send(storedValues(ctx, provider.settings, smsAddresses), phone, code)
  } catch (error) {
    ctx.services.log.warn({ reason: reasonOf(error), refused: error instanceof SmsRefused }, 'A code was not sent')
    throw failureAs(400, 'error', text(smsMessages.not_sent))
  }
}

/** Sends a code of sixes to the test phone, with the form's values. */
async function testSms({ ctx, request }: Handling): Promise<unknown> {
  const backend = request.params.backend ?? ''
  const provider = own(smsProviders, backend)
  if (!provider)
    throw badRequest(text(backend === 'custom_file' ? smsMessages.no_files : smsMessages.unknown_provider), 'error')
  const body = isObject(request.body) ? request.body : {}
  const values = testedValues(ctx, provider.settings, smsAddresses, body)
  const phone = String(values.SMS_TEST_PHONE ?? '')
  if (!phone) throw badRequest(text(smsMessages.no_phone), 'test_phone_required')
  try {
    await provider.send(values, normalPhone(phone), '6'.repeat(shortMessages.of(ctx).SMS_CODE_LENGTH))
  } catch (error) {
    throw failureAs(400, 'error', text(smsMessages.test_failed, { reason: reasonOf(error) }))
  }
  return { msg: smsMessages.test_sent[ctx.language] }
}

export const smsTestRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/settings/sms/:backend/testing/',
  requires: 'settings.change_sms',
  transaction: 'none',
  summary: 'Send a test code with the settings of a provider',
  handle: testSms,
})
