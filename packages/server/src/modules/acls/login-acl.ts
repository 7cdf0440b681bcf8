import { loginAclActions } from '@castellan/contract/choices/acls'
import { rootOrgId } from '@castellan/contract/ids'
import { say } from '@castellan/contract/messages'
import { aclsMessages } from '@castellan/contract/messages/acls'
import { choice, computed, linksOf } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { findAll, findById } from '../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
import { cityOf } from '../../kernel/security/cities.ts'
import { SignInDenied, type SignInFacts, type SignInReviews, type SigningIn } from '../authentication/index.ts'
import { notifyUsers } from '../notifications/index.ts'
import { assigneeNames, currentTicket, decide, openTicket, pageOf, peopleAsked } from '../tickets/index.ts'
import { aclDates, aclFieldOrder, aclFields, aclHooks, aclOrder, offeredActions, usersFilter } from './acl-fields.ts'
import { applies, loginRulesField, serverZone } from './login-rules.ts'
import { userSubject } from './subjects.ts'

const table = 'acls_loginacl'
const reviewerLinks = { table: `${table}_reviewers`, from: 'loginacl_id', to: 'user_id' } as const

/** Restricts who may sign in, from where and when, in every organization. */
export const loginAcl = defineResource({
  app: 'acls',
  name: 'loginacl',
  path: 'login-acls',
  scope: 'global',
  fields: {
    ...aclFields('loginacl', loginAclActions, true),
    action: choice(loginAclActions, { default: 'reject', filter: true, offers: offeredActions }),
    rules: loginRulesField(),
    org_id: computed('field', { wire: (_value, ctx) => ctx.orgId }),
    org_name: computed('field', {}),
    ...aclDates(),
  },
  unique: [['name']],
  search: ['name'],
  fieldOrder: aclFieldOrder,
  defaultOrder: aclOrder,
  filters: { users: usersFilter(table) },
  hooks: aclHooks,
  // Forms have the field, but a rule for every organization has no value for it.
  hidden: (_ctx, _verb, use) => (use === 'options' ? [] : ['org_name']),
})

type LoginRule = Row<typeof loginAcl>

async function reviewersOf(ctx: Context, ruleId: string): Promise<string[]> {
  const links = await linksOf(ctx, reviewerLinks, [ruleId])
  return links.map((link) => link.user_id)
}

/** The first rule in order of priority that applies to a sign-in now. */
async function firstRule(ctx: Context, userId: string): Promise<LoginRule | undefined> {
  const active = await findAll(ctx.acrossOrgs(), loginAcl, (query) =>
    query.where('t.is_active', '=', true).orderBy('t.priority', 'desc').orderBy('t.name').orderBy('t.id'),
  )
  const rows = active.filter((row) => applies(row.rules, { ip: ctx.ip, at: ctx.now, zone: serverZone }, row.action))
  const user = rows.length > 0 ? await userSubject(ctx, userId, rootOrgId) : undefined
  if (!user) return undefined
  for (const row of rows) {
    if (!(await user.isSelectedBy(row.users))) continue
    // A review that nobody was ever asked to do does not apply.
    if (row.action === 'review' && (await reviewersOf(ctx, row.id)).length === 0) continue
    return row
  }
  return undefined
}

/** Judges a sign-in whose credential was right. Throws `acl_not_allow`. */
export async function judgeSignIn(ctx: Context, facts: SignInFacts): Promise<void> {
  const rule = await firstRule(ctx, facts.userId)
  if (!rule || rule.action === 'accept') return
  if (rule.action === 'reject') throw new SignInDenied('acl_not_allow')
  facts.rule = { id: rule.id, action: rule.action === 'review' ? 'review' : 'notice' }
}

const display = ({ name, username }: SigningIn) => `${name}(${username})`

/** Reviewers who can decide now; a rule whose reviewers have all left lets nobody in. */
async function open(ctx: Context, user: SigningIn, ruleId: string): Promise<string> {
  const assignees = await peopleAsked(ctx, await reviewersOf(ctx, ruleId))
  if (assignees.length === 0) throw new SignInDenied('acl_not_allow')
  const { id } = await openTicket(ctx, {
    type: 'login_confirm',
    title: say(aclsMessages.login_ticket, ctx.language, { user: display(user) }).slice(0, 256),
    orgId: rootOrgId,
    applicant: user,
    details: { ip: ctx.ip || '0.0.0.0', city: cityOf(ctx.services, ctx.ip), datetime: ctx.now },
    snapshot: {},
    levels: [{ strategy: '', assignees }],
  })
  return id
}

async function remind(ctx: Context, user: SigningIn, ruleId: string): Promise<void> {
  const reviewers = (await findById(ctx.acrossOrgs(), loginAcl, ruleId)) ? await reviewersOf(ctx, ruleId) : []
  if (reviewers.length === 0) return
  await notifyUsers(ctx, reviewers, {
    subject: aclsMessages.login_subject,
    body: aclsMessages.login_body,
    values: {
      user: display(user),
      ip: ctx.ip,
      city: cityOf(ctx.services, ctx.ip),
      browser: ctx.userAgent.slice(0, 254),
    },
  })
}

/** Approvals of sign-ins by tickets. */
export const loginReviews: SignInReviews = {
  open,
  remind,
  async stateOf(ctx, user, ticketId) {
    const row = await currentTicket(ctx, ticketId)
    // An approval of somebody else's sign-in, or of anything else, is none of this one.
    if (row?.type !== 'login_confirm' || row.applicant_id !== user.id) return 'refused'
    if (row.status === 'open') return 'waiting'
    return row.state === 'approved' ? 'approved' : 'refused'
  },
  async withdraw(ctx, user, ticketId) {
    const row = await currentTicket(ctx, ticketId)
    if (row?.status === 'open' && row.applicant_id === user.id)
      await decide(ctx, ticketId, 'close', { ...user, system: true })
  },
  async shown(ctx, ticketId) {
    const row = await currentTicket(ctx, ticketId)
    return { url: row ? pageOf(ctx, row) : '', reviewers: row ? await assigneeNames(ctx, ticketId) : [] }
  },
}
