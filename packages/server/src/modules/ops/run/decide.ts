import { say } from '@castellan/contract/messages'
import { opsMessages } from '@castellan/contract/messages/ops'
import { batches } from '../../../db/batches.ts'
import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { takesSecret } from '../../accounts/index.ts'
import { type CommandFilter, commandFiltersFor, hasCommandFilters, longestCommand } from '../../acls/index.ts'
import { asset, platformsById, protocolsByPlatform, protocolsOf } from '../../assets/index.ts'
import { accessToMany } from '../../perms/index.ts'
import type { JobSnapshot } from '../job-execution.ts'
import { chooseAccount } from './choose-account.ts'
import { type RuleVerdict, verdictOf } from './command-rules.ts'
import { UnsafeVariable, withVariables } from './variables.ts'

/** What an item knows beside its asset. Nothing in it is secret, and the command is made again when it runs. */
export interface HostPayload {
  asset: string
  /** The name of the host in summaries. */
  host: string
  username: string
  /** The account and the protocol that were chosen; absent when nothing is to run. */
  account?: string
  protocol?: { name: string; port: number }
  /** Why nothing runs: a code, and its text in the language of the run. */
  excluded?: { code: string; reason: string }
  /** The decision of a command filter. */
  verdict?: RuleVerdict
  /** The ticket that has to be approved before it runs, and what is approved: a digest of the command. */
  review?: { ticket: string; digest: string }
}

/** A host whose command waits for a review that has no ticket yet. */
export type HostToReview = HostPayload & { toReview?: string }

export interface DecideInput {
  snapshot: JobSnapshot
  assets: readonly string[]
  own: Readonly<Record<string, string>>
  /** Its values as they may be shown: secret ones are hidden. */
  shown: Readonly<Record<string, string>>
}

/** Values of variables that are about one asset and one run. */
export const givenValues = (
  ctx: Context,
  snapshot: JobSnapshot,
  row: { id: string; name: string; address: string },
  platform: { category: string; type: string } | undefined,
  port: number,
): Record<string, string> => ({
  jms_username: ctx.me.username,
  jms_job_id: snapshot.job,
  jms_job_name: snapshot.name,
  'jms_asset.id': row.id,
  'jms_asset.name': row.name,
  'jms_asset.address': row.address,
  'jms_asset.category': platform?.category ?? '',
  'jms_asset.type': platform?.type ?? '',
  'jms_asset.port': String(port),
})

/** The names of hosts in summaries are unique, and free of what inventories give a meaning to. */
function hostNames() {
  const taken = new Set<string>()
  return (name: string): string => {
    const plain = name.replace(/[\s[\]/{}]/g, '_')
    let free = plain
    for (let count = 2; taken.has(free); count++) free = `${plain}_${count}`
    taken.add(free)
    return free
  }
}

/** The protocols of an asset that a run may use: files go over an SSH whose platform allows them. */
export async function runnableProtocols<P extends { name: string }>(
  ctx: Context,
  { transfer }: JobSnapshot,
  platformId: number,
  protocols: readonly P[],
): Promise<readonly P[]> {
  if (!transfer) return protocols
  const offered = (await protocolsByPlatform(ctx)).get(platformId) ?? []
  const isWithoutFiles = offered.some(({ name, setting }) => name === 'ssh' && setting.sftp_enabled === false)
  return protocols.filter(({ name }) => name !== 'ssh' || !isWithoutFiles)
}

/** Decides for each asset what runs on it, and why nothing does. Assets that are gone have no item. */
export async function decideHosts(ctx: Context, { snapshot, assets, own, shown }: DecideInput): Promise<NewItem[]> {
  const said = (key: keyof typeof reasons) => ({ code: key, reason: say(reasons[key], ctx.language) })
  const platforms = await platformsById(ctx)
  const nameOf = hostNames()
  const items: NewItem[] = []
  // Most organizations have no rules, and asking for those of each asset takes long.
  const isFiltered = await hasCommandFilters(ctx)
  const noFilters = Promise.resolve<CommandFilter[]>([])
  const filtersOf = new Map<string, Promise<CommandFilter[]>>()
  for (const some of batches([...new Set(assets)])) {
    const rows = await findAll(ctx, asset, (query) => query.where('t.id', 'in', some).orderBy('t.name').orderBy('t.id'))
    const access = await accessToMany(
      ctx,
      ctx.me,
      rows.map(({ id }) => id),
    )
    const protocols = await protocolsOf(ctx, some)
    for (const row of rows) {
      const host = nameOf(row.name)
      const target = { type: asset.key, id: row.id, label: row.name }
      const put = (more: Partial<HostToReview>) =>
        items.push({ target, payload: { asset: row.id, host, username: '', ...more } satisfies HostToReview })
      if (!row.is_active) {
        put({ excluded: said('asset_disabled') })
        continue
      }
      const platform = platforms.get(row.platform_id)
      const choice = chooseAccount(
        access.get(row.id),
        platform,
        await runnableProtocols(ctx, snapshot, row.platform_id, protocols.get(row.id) ?? []),
        snapshot,
        ctx.now,
        takesSecret,
      )
      if (typeof choice === 'string') {
        put({ excluded: said(choice) })
        continue
      }
      const { account, protocol } = choice
      const chosen = { username: account.username, account: account.id, protocol }
      if (snapshot.transfer) {
        put(chosen)
        continue
      }
      const key = `${row.id} ${account.username}`
      const filters = !isFiltered
        ? noFilters
        : (filtersOf.get(key) ?? commandFiltersFor(ctx, ctx.me.id, row.id, [account.username]))
      filtersOf.set(key, filters)
      if (snapshot.type === 'playbook') {
        // What a playbook runs on a host is a program, in which no filter finds a command.
        const isRefused = (await filters).some(({ action }) => action === 'reject' || action === 'review')
        put(isRefused ? { ...chosen, excluded: said('command_filtered') } : chosen)
        continue
      }
      try {
        const given = givenValues(ctx, snapshot, row, platform, protocol.port)
        const command = withVariables(snapshot.args, own, given)
        const verdict = verdictOf(await filters, command)
        if (verdict?.action === 'reject') put({ ...chosen, verdict, excluded: said('command_rejected') })
        else if (verdict?.action === 'review') {
          // Reviewers decide about what they see: all of the command, with nothing hidden in it.
          const unseen =
            command.length > longestCommand
              ? 'review_too_long'
              : command === withVariables(snapshot.args, shown, given)
                ? undefined
                : 'review_hidden'
          put({ ...chosen, verdict, ...(unseen ? { excluded: said(unseen) } : { toReview: command }) })
        } else put(verdict ? { ...chosen, verdict } : chosen)
      } catch (error) {
        if (!(error instanceof UnsafeVariable)) throw error
        const reason = say(opsMessages.variable_unsafe, ctx.language, { name: error.variable })
        put({ ...chosen, excluded: { code: 'variable_unsafe', reason } })
      }
    }
  }
  return items
}

const reasons = {
  asset_disabled: opsMessages.host_asset_disabled,
  not_permitted: opsMessages.host_not_permitted,
  automation_disabled: opsMessages.host_automation_disabled,
  no_protocol: opsMessages.host_no_protocol,
  no_account: opsMessages.host_no_account,
  no_transfer: opsMessages.host_no_transfer,
  command_rejected: opsMessages.host_command_rejected,
  command_filtered: opsMessages.host_command_filtered,
  review_too_long: opsMessages.host_review_too_long,
  review_hidden: opsMessages.host_review_hidden,
} as const

/** Exclusions that were forbidden, not merely impossible: they fail the execution. */
export const forbiddenCodes: ReadonlySet<string> = new Set([
  'not_permitted',
  'no_transfer',
  'command_rejected',
  'command_filtered',
  'review_too_long',
  'review_hidden',
  'review_repeated',
  'review_refused',
  'no_reviewer',
  'blacklisted',
])
