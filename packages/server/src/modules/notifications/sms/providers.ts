/** Senders of verification codes, each as its documentation describes. */
import { randomBytes, randomUUID } from 'node:crypto'
import { isObject, objectOf } from '../../../kernel/fields/safe-lookup.ts'
import { askProvider } from '../../../kernel/security/outgoing-request.ts'
import { type ServiceValues, wordIn } from '../entered-values.ts'
import { submit } from './cmpp.ts'
import { alibaba, cmpp2, customSms, huawei, tencent } from './settings.ts'
import { alibabaSigned, huaweiToken, tencentAuthorization } from './signatures.ts'

/** The provider did not accept a message; the text is its reason. */
export class SmsRefused extends Error {}

interface SmsProvider {
  readonly settings: typeof alibaba | typeof tencent | typeof huawei | typeof cmpp2 | typeof customSms
  /** @param phone `+<country><number>` @throws SmsRefused, or an error of the connection */
  send(values: ServiceValues, phone: string, code: string): Promise<void>
}

/** Characters of a provider's reason that are shown. */
const longestReason = 300

/**
 * What a provider answered, as far as it is JSON. Other texts are not shown: the address may be that of any page inside
 * of the network, and whoever changes these settings must not read it through this server.
 */
async function jsonOf(answer: Response): Promise<Record<string, unknown>> {
  const text = await answer.text()
  try {
    return objectOf(JSON.parse(text))
  } catch {
    throw new SmsRefused(String(answer.status))
  }
}

const refusal = (...words: unknown[]) =>
  new SmsRefused(
    words
      .filter((word) => typeof word === 'string' && word !== '')
      .join(': ')
      .slice(0, longestReason),
  )

const form = 'application/x-www-form-urlencoded'

/** `SendSms` of Alibaba Cloud Short Message Service, version 2017-05-25. */
const viaAlibaba: SmsProvider = {
  settings: alibaba,
  async send(values, phone, code) {
    const params = {
      AccessKeyId: wordIn(values, 'ALIBABA_ACCESS_KEY_ID'),
      Action: 'SendSms',
      Format: 'JSON',
      // Numbers of China without the country, others with it.
      PhoneNumbers: phone.replace(/^\+(86)?/, ''),
      SignName: wordIn(values, 'ALIBABA_VERIFY_SIGN_NAME'),
      SignatureMethod: 'HMAC-SHA1',
      SignatureNonce: randomUUID(),
      SignatureVersion: '1.0',
      TemplateCode: wordIn(values, 'ALIBABA_VERIFY_TEMPLATE_CODE'),
      TemplateParam: JSON.stringify({ code }),
      Timestamp: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      Version: '2017-05-25',
    }
    const body = alibabaSigned('POST', params, wordIn(values, 'ALIBABA_ACCESS_KEY_SECRET')).toString()
    const address = wordIn(values, 'ALIBABA_SMS_URL')
    const found = await jsonOf(await askProvider(address, { method: 'POST', headers: { 'content-type': form }, body }))
    if (found.Code !== 'OK') throw refusal(found.Code, found.Message)
  },
}

/** `SendSms` of Tencent Cloud SMS, version 2021-01-11. */
const viaTencent: SmsProvider = {
  settings: tencent,
  async send(values, phone, code) {
    const url = new URL(wordIn(values, 'TENCENT_SMS_URL'))
    const body = JSON.stringify({
      PhoneNumberSet: [phone],
      SmsSdkAppId: wordIn(values, 'TENCENT_SDKAPPID'),
      SignName: wordIn(values, 'TENCENT_VERIFY_SIGN_NAME'),
      TemplateId: wordIn(values, 'TENCENT_VERIFY_TEMPLATE_CODE'),
      TemplateParamSet: [code],
    })
    const at = Math.floor(Date.now() / 1000)
    const [id, secret] = [wordIn(values, 'TENCENT_SECRET_ID'), wordIn(values, 'TENCENT_SECRET_KEY')]
    const answer = await askProvider(url.href, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        authorization: tencentAuthorization({ id, secret, host: url.host, service: 'sms', body, at }),
        'x-tc-action': 'SendSms',
        'x-tc-timestamp': String(at),
        'x-tc-version': '2021-01-11',
        'x-tc-region': 'ap-guangzhou',
      },
      body,
    })
    const found = objectOf((await jsonOf(answer)).Response)
    const error = objectOf(found.Error)
    if (found.Error) throw refusal(error.Code, error.Message)
    const [status] = Array.isArray(found.SendStatusSet) ? found.SendStatusSet.map(objectOf) : []
    if (status?.Code !== 'Ok') throw refusal(status?.Code, status?.Message)
  },
}

/** `batchSendSms` of Huawei Cloud Message & SMS. */
const viaHuawei: SmsProvider = {
  settings: huawei,
  async send(values, phone, code) {
    const address = `${wordIn(values, 'HUAWEI_SMS_ENDPOINT').replace(/\/+$/, '')}/sms/batchSendSms/v1`
    const created = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
    const nonce = randomBytes(16).toString('hex')
    const [key, secret] = [wordIn(values, 'HUAWEI_APP_KEY'), wordIn(values, 'HUAWEI_APP_SECRET')]
    const answer = await askProvider(address, {
      method: 'POST',
      headers: {
        'content-type': form,
        authorization: 'WSSE realm="SDP",profile="UsernameToken",type="Appkey"',
        'x-wsse': huaweiToken(key, secret, nonce, created),
      },
      body: new URLSearchParams({
        from: wordIn(values, 'HUAWEI_SIGN_CHANNEL_NUM'),
        to: phone,
        templateId: wordIn(values, 'HUAWEI_VERIFY_TEMPLATE_CODE'),
        templateParas: JSON.stringify([code]),
        signature: wordIn(values, 'HUAWEI_VERIFY_SIGN_NAME'),
      }).toString(),
    })
    const found = await jsonOf(answer)
    if (found.code !== '000000') throw refusal(found.code, found.description)
  },
}

/** A gateway of China Mobile's protocol. */
const viaCmpp: SmsProvider = {
  settings: cmpp2,
  async send(values, phone, code) {
    const message = wordIn(values, 'CMPP2_VERIFY_TEMPLATE_CODE').replaceAll('{code}', code)
    await submit({
      host: wordIn(values, 'CMPP2_HOST'),
      port: Number(wordIn(values, 'CMPP2_PORT')),
      source: wordIn(values, 'CMPP2_SP_ID'),
      secret: wordIn(values, 'CMPP2_SP_SECRET'),
      serviceId: wordIn(values, 'CMPP2_SERVICE_ID'),
      sourceNumber: wordIn(values, 'CMPP2_SRC_ID'),
      phone: phone.replace(/^\+(86)?/, ''),
      text: `【${wordIn(values, 'CMPP2_VERIFY_SIGN_NAME')}】${message}`,
    })
  },
}

/** A service of the company's own: `{phone_numbers}` and `{code}` are replaced in the parameters. */
const viaCustom: SmsProvider = {
  settings: customSms,
  async send(values, phone, code) {
    const filled = (value: unknown) =>
      String(value).replaceAll('{phone_numbers}', phone.replace(/^\+86/, '')).replaceAll('{code}', code)
    const template = isObject(values.CUSTOM_SMS_API_PARAMS) ? values.CUSTOM_SMS_API_PARAMS : {}
    const params = Object.fromEntries(Object.entries(template).map(([name, value]) => [name, filled(value)]))
    const url = new URL(wordIn(values, 'CUSTOM_SMS_URL'))
    const posts = values.CUSTOM_SMS_REQUEST_METHOD === 'post'
    if (!posts) for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
    const answer = await askProvider(
      url.href,
      posts
        ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) }
        : { method: 'GET' },
    )
    if (answer.ok) return
    const { message, msg, error, detail } = await jsonOf(answer)
    throw refusal(String(answer.status), message ?? msg ?? error ?? detail)
  },
}

export const smsProviders: Readonly<Record<string, SmsProvider>> = {
  alibaba: viaAlibaba,
  tencent: viaTencent,
  huawei: viaHuawei,
  cmpp2: viaCmpp,
  custom: viaCustom,
}
