import { errors } from '@castellan/contract/messages/errors'
import { smsMessages } from '@castellan/contract/messages/sms'
import { normalPhone } from '../../../kernel/fields/index.ts'
import { isObject, own } from '../../../kernel/fields/safe-lookup.ts'
import { defineRoute, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, failureAs, Problems, Rejected, text } from '../../../kernel/module/errors.ts'
import { Sealed } from '../../../kernel/security/secrets.ts'
import type { Setting } from '../../../kernel/settings/setting-groups.ts'
import { type ProviderValues, SmsRefused, smsProviders } from './providers.ts'
import { shortMessages, smsAddresses } from './settings.ts'

type Provider = (typeof smsProviders)[string]

const chosen = (ctx: Context): Provider | undefined => own(smsProviders, shortMessages.of(ctx).SMS_BACKEND || 'alibaba')

/** Whether codes can be sent. */
export const canText = (ctx: Context): boolean => shortMessages.of(ctx).SMS_ENABLED && chosen(ctx) !== undefined

/** Stored values of a provider. Addresses of the clouds are those of the environment. */
function storedValues(ctx: Context, { settings }: Provider): Record<string, unknown> {
  const all = [...Object.values(settings.settings), ...Object.values(smsAddresses.settings)]
  return Object.fromEntries(
    all.map((setting) => {
      const value: unknown = setting.of(ctx)
      return [setting.name, value instanceof Sealed ? ctx.services.vault.open(value) : value]
    }),
  )
}

/** Why a provider was not reached or did not accept: what it said, otherwise the kind of failure. */
const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300)

/**
 * Sends a code with the provider of the settings.
 * @param phone `+<country><number>`
 * @throws 400 `{error}` when it was not accepted; the reason is logged, since it is not for the user
 */
export async function sendCodeBySms(ctx: Context, phone: string, code: string): Promise<void> {
  const provider = chosen(ctx)
  if (!provider || !canText(ctx)) throw failureAs(400, 'error', text(smsMessages.not_set))
  try {
    await provider.send(storedValues(ctx, provider), phone, code)
  } catch (error) {
    ctx.services.log.warn({ reason: reasonOf(error), refused: error instanceof SmsRefused }, 'A code was not sent')
    throw failureAs(400, 'error', text(smsMessages.not_sent))
  }
}

/** Values of a form over the stored ones. Throws 400 by field, and for a stored secret that would go elsewhere. */
function testedValues(ctx: Context, provider: Provider, body: Readonly<Record<string, unknown>>): ProviderValues {
  const values = storedValues(ctx, provider)
  const problems = new Problems()
  const changed = new Set<string>()
  const settings = Object.values<Setting>(provider.settings.settings)
  for (const { name, field, secret } of settings) {
    const sent = own(body, name)
    if (sent === undefined || (secret && (sent === '' || sent === null))) {
      if (field.required && !values[name]) problems.add(name, text(errors.required))
      continue
    }
    try {
      const parsed: unknown = sent === null ? null : field.parse?.(sent, ctx)
      const value = parsed instanceof Sealed ? ctx.services.vault.open(parsed) : parsed
      if (JSON.stringify(value) !== JSON.stringify(values[name])) changed.add(name)
      values[name] = value
    } catch (error) {
      if (!(error instanceof Rejected)) throw error
      problems.add(name, error.problem)
    }
  }
  for (const { name, sentTo } of settings)
    if (!changed.has(name) && values[name] && sentTo.some((one) => changed.has(one)))
      problems.add(name, text(smsMessages.secret_again))
  problems.throwIfAny()
  return values
}

/** Sends a code of sixes to the test phone, with the form's values. */
async function testSms({ ctx, request }: Handling): Promise<unknown> {
  const backend = request.params.backend ?? ''
  const provider = own(smsProviders, backend)
  if (!provider)
    throw badRequest(text(backend === 'custom_file' ? smsMessages.no_files : smsMessages.unknown_provider), 'error')
  const body = isObject(request.body) ? request.body : {}
  const values = testedValues(ctx, provider, body)
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
