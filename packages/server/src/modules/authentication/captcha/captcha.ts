import { randomInt } from 'node:crypto'
import { errors } from '@castellan/contract/messages/errors'
import { signInPages } from '@castellan/contract/messages/sign-in-pages'
import { defineRoute, type Handling, Reply } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { failure, type Text, text } from '../../../kernel/module/errors.ts'
import { perInstallation } from '../../../kernel/module/per-installation.ts'
import { randomText } from '../../../kernel/security/random.ts'
import { AddressLimit } from '../../../kernel/security/rate-limit.ts'
import { signInSecurity, userByLogin } from '../../users/index.ts'
import { failuresOf, failuresOfAddress, isTrusted, subjectOf } from '../limits.ts'
import { pictureOf } from './picture.ts'

/** Wrong passwords for one account after which the next attempt needs a captcha. */
const toleratedFailures = 3
/** Failures of one address, by which it is asked for every account: many people may share it. */
const toleratedFromAddress = 30
/** Seconds a picture can be answered. */
const answerable = 600
const imagePath = '/core/auth/captcha/image/'

const captchaKey = (key: string) => `captcha:shown:${key}`

function isOn(ctx: Context): boolean {
  const settings = signInSecurity.of(ctx)
  // As the settings page shows it: these protections of the page replace each other.
  if (settings.SECURITY_LOGIN_CHALLENGE_ENABLED || settings.SECURITY_MFA_IN_LOGIN_PAGE) return false
  return settings.SECURITY_LOGIN_CAPTCHA_ENABLED && !isTrusted(ctx)
}

/**
 * Whether the next attempt to sign in, or to get a new password, needs a captcha. It slows down who tries passwords;
 * who mistypes theirs once, or shares an address with somebody who does, is not asked.
 */
export async function asksCaptcha(ctx: Context, username = ''): Promise<boolean> {
  if (!isOn(ctx)) return false
  if ((await failuresOfAddress(ctx)) >= toleratedFromAddress) return true
  if (username === '') return false
  return (await failuresOf(ctx, subjectOf(await userByLogin(ctx, username), username))) >= toleratedFailures
}

function calculation(): { shown: string; result: number } {
  const [first, second] = [randomInt(1, 10), randomInt(1, 10)]
  const [more, less] = [Math.max(first, second), Math.min(first, second)]
  const kinds = [
    { shown: `${first}+${second}`, result: first + second },
    { shown: `${more}-${less}`, result: more - less },
    { shown: `${first}×${second}`, result: first * second },
  ]
  return kinds[randomInt(0, kinds.length)] ?? { shown: '1+1', result: 2 }
}

/** A new picture. */
export async function newCaptcha(ctx: Context): Promise<{ key: string; imageUrl: string }> {
  const key = randomText(40)
  await ctx.kv.set(captchaKey(key), calculation(), answerable)
  return { key, imageUrl: `${imagePath}${key}/` }
}

/** Checks the fields of a form; undefined if they are right. A picture can be answered once. */
export async function captchaProblem(ctx: Context, form: Readonly<Record<string, string>>): Promise<Text | undefined> {
  const answer = (form.captcha_1 ?? '').trim()
  if (answer === '') return text(errors.required)
  const asked = await ctx.kv.take<{ result: number }>(captchaKey(form.captcha_0 ?? ''))
  return asked && answer === String(asked.result) ? undefined : text(signInPages.captcha_wrong)
}

const noPicture = () => failure(404, 'object_does_not_exist', text(errors.no_such_page))

/** Everybody can have pictures made, each of which stores a row: so many per address in a minute. */
const drawn = perInstallation(() => new AddressLimit(60, 60_000))

async function refresh({ ctx, request }: Handling): Promise<object> {
  if (request.headers['x-requested-with'] !== 'XMLHttpRequest') throw noPicture()
  const limit = drawn(ctx.services)
  if (limit.isReached(ctx.ip)) throw limit.refusal(ctx.ip)
  limit.count(ctx.ip)
  const { key, imageUrl } = await newCaptcha(ctx)
  // There is no spoken form.
  return { key, image_url: imageUrl, audio_url: null }
}

async function image({ ctx, request }: Handling): Promise<Reply> {
  const asked = await ctx.kv.get<{ shown: string }>(captchaKey(request.params.key ?? ''))
  if (!asked) throw noPicture()
  return new Reply(200, pictureOf(`${asked.shown}=`), { 'content-type': 'image/png', 'cache-control': 'no-store' })
}

const page = { requires: 'public', transaction: 'none', method: 'GET' } as const

export const captchaRoutes = [
  defineRoute({ ...page, path: '/core/auth/captcha/refresh/', summary: 'Another captcha', handle: refresh }),
  defineRoute({ ...page, path: `${imagePath}:key/`, summary: 'The picture of a captcha', handle: image }),
]
