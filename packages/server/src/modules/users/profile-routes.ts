import { namesLanguage } from '@castellan/contract/messages'
import { errors } from '@castellan/contract/messages/errors'
import { signInErrors } from '@castellan/contract/messages/sign-in'
import { usersMessages } from '@castellan/contract/messages/users'
import { type StoredRow, text } from '../../kernel/fields/index.ts'
import { objectOf } from '../../kernel/fields/safe-lookup.ts'
import { defineRoute, type Handling } from '../../kernel/http/route.ts'
import { demandUserOrToken } from '../../kernel/http/token-caller.ts'
import type { Context } from '../../kernel/module/context.ts'
import { failureAs, invalid, Problems, text as say } from '../../kernel/module/errors.ts'
import { updateOne } from '../../kernel/resource/mutations.ts'
import { decrypted } from '../../kernel/security/encrypted.ts'
import { rememberLanguage } from '../notifications/index.ts'
import { type UserRow, userBy } from './find-user.ts'
import { ownSecretProblem } from './own-secret.ts'
import { passwordProblem, setPassword } from './passwords.ts'
import { profile, profileOf } from './profile.ts'
import { publicKeyFacts } from './public-key.ts'
import { publicKeySignIn } from './settings.ts'
import { demandFactorConfirmation, tellWaysChanged } from './ways-in.ts'

const base = '/api/v1/users/profile/'
const write = ['PUT', 'PATCH'] as const

async function me(ctx: Context): Promise<UserRow> {
  const row = await userBy(ctx, 'id', ctx.me.id)
  if (!row) throw new Error('The caller has no row.')
  return row
}

async function changeProfile({ ctx, request }: Handling): Promise<StoredRow> {
  await updateOne(ctx, profile, await me(ctx), request.body ?? {}, true)
  return profileOf(ctx, ctx.me.id)
}

const passwordField = () => text({ max: 128, required: true, writeOnly: true, verbatim: true })
const passwordFields = {
  old_password: passwordField(),
  new_password: passwordField(),
  new_password_again: passwordField(),
}

function sentText(problems: Problems, body: StoredRow, name: string, max: number): string {
  const value = body[name]
  if (value === undefined) problems.add(name, say(errors.required))
  else if (value === null) problems.add(name, say(errors.null))
  else if (typeof value !== 'string') problems.add(name, say(errors.not_a_string))
  else if (value === '') problems.add(name, say(errors.blank))
  else if (value.length > max) problems.add(name, say(errors.max_length, { max }))
  else return value
  return ''
}

async function changeOwnPassword({ ctx, request }: Handling): Promise<StoredRow> {
  const problems = new Problems()
  const body = objectOf(request.body)
  const [old, fresh, again] = Object.keys(passwordFields).map((name) =>
    decrypted(ctx, sentText(problems, body, name, 1024)),
  ) as [string, string, string]
  problems.throwIfAny()
  const row = await me(ctx)
  // The old password is a confirmation, but no replacement for the factor of who has one.
  await demandFactorConfirmation(ctx, row)
  const wrong = say(signInErrors.old_password_wrong)
  const refused = await ownSecretProblem(
    ctx,
    row.id,
    () => ctx.services.passwords.verify(old, row.password_hash),
    wrong,
  )
  if (refused) throw invalid({ old_password: [refused] })
  if (fresh.length > 128) throw invalid({ new_password: [say(errors.max_length, { max: 128 })] })
  if (fresh !== again) throw invalid({ new_password_again: [say(signInErrors.password_mismatch)] })
  const problem = await passwordProblem(ctx, row, fresh)
  if (problem) throw invalid({ new_password: [problem] })
  await ctx.transaction(async (inside) => {
    await setPassword(inside, row, fresh, { need_update_password: false })
    await tellWaysChanged(inside, row, ['password'])
  })
  return {}
}

const keyAnswer = ({ public_key }: { public_key: string | null }) => {
  const facts = publicKeyFacts(public_key)
  return { public_key_comment: facts?.comment ?? '', public_key_hash_md5: facts?.md5 ?? '' }
}

async function changeOwnKey({ ctx, request }: Handling): Promise<StoredRow> {
  const problems = new Problems()
  const key = sentText(problems, objectOf(request.body), 'public_key', 2048).trim()
  problems.throwIfAny()
  if (!publicKeyFacts(key)) throw invalid({ public_key: [say(signInErrors.public_key_invalid)] })
  const row = await me(ctx)
  if (!publicKeySignIn.of(ctx).TERMINAL_PUBLIC_KEY_AUTH) return keyAnswer(row)
  const saved = await updateOne(ctx, profile, row, { public_key: key }, true)
  return keyAnswer(saved)
}

const keyFields = {
  public_key_comment: text({ max: 128, readOnly: true }),
  public_key_hash_md5: text({ max: 128, readOnly: true }),
  public_key: text({ max: 2048, required: true, writeOnly: true }),
}

export const profileRoutes = [
  defineRoute({
    method: 'GET',
    path: base,
    // Also for a page opened by a connection token.
    requires: 'public',
    summary: 'The own profile',
    async handle({ ctx, request }) {
      const id = await demandUserOrToken(ctx, request)
      // Every page of the console begins here, in the language that its user reads.
      const { cookies, headers } = request
      if (namesLanguage(cookies.django_language, headers['accept-language'])) await rememberLanguage(ctx)
      return profileOf(ctx, id)
    },
  }),
  defineRoute({
    method: write,
    path: base,
    requires: 'valid',
    summary: 'Change the own profile',
    handle: changeProfile,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}password/`,
    requires: 'authenticated',
    summary: 'Empty: the password cannot be read',
    fields: { GET: passwordFields },
    handle: () => ({}),
  }),
  defineRoute({
    method: write,
    path: `${base}password/`,
    requires: 'authenticated',
    transaction: 'none',
    summary: 'Change the own password',
    fields: { PUT: passwordFields, PATCH: passwordFields },
    handle: changeOwnPassword,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}public-key/`,
    requires: 'authenticated',
    summary: 'Facts about the own SSH public key',
    fields: { GET: keyFields },
    handle: async ({ ctx }) => keyAnswer(await me(ctx)),
  }),
  defineRoute({
    method: write,
    path: `${base}public-key/`,
    requires: 'authenticated',
    summary: 'Change the own SSH public key',
    fields: { PUT: keyFields, PATCH: keyFields },
    handle: changeOwnKey,
  }),
  defineRoute({
    method: 'GET',
    path: `${base}mfa/reset/`,
    requires: 'users.view_user',
    summary: 'Rejected: the own second factor is managed in the profile',
    fields: { GET: { msg: text({ readOnly: true }) } },
    handle: () => {
      throw failureAs(400, 'error', say(usersMessages.mfa_reset_self))
    },
  }),
]
