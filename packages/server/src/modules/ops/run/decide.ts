import type { NewItem } from '../../../kernel/jobs/item-rows.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { type DecidedUse, type LoginAssetRule, longestCommand, recordRule } from '../../acls/index.ts'
import { asset } from '../../assets/index.ts'
import { shorten } from '../../terminal/index.ts'
import type { HostPayload, HostToReview } from './host-payload.ts'
import { excludedBy, type JudgedRun, type Judgement, judges } from './judge.ts'
import { digestOf } from './operation.ts'

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

export type { HostPayload, HostToReview } from './host-payload.ts'

/** Characters of what was decided about that a payload keeps, for the command log. */
const longestShown = 1024

/** What a judgement says about a host that has not begun. */
function payloadOf(ctx: Context, judged: Judgement, host: string, files: string): HostToReview {
  const { row, choice, operation, verdict, use, excluded } = judged
  const payload: HostToReview = {
    asset: row.id,
    host,
    username: choice?.account.username ?? '',
    ...(choice ? { account: choice.account.id, protocol: choice.protocol } : {}),
    ...(verdict ? { verdict } : {}),
    ...(operation && (verdict || excluded) ? { shown: shorten(operation.shown, longestShown) } : {}),
  }
  if (excluded) return { ...payload, excluded }
  const digest = operation ? digestOf(operation, files) : ''
  if (verdict?.action === 'review' && operation) {
    // Reviewers decide about what they see: all of the command, with nothing hidden in it.
    if (operation.shown.length > longestCommand) return { ...payload, excluded: excludedBy(ctx, 'review_too_long') }
    if (operation.isHiding) return { ...payload, excluded: excludedBy(ctx, 'review_hidden') }
    payload.toReview = { command: operation.shown, digest }
  }
  if (use?.rule?.action === 'review' && operation)
    payload.toReviewUse = { rule: use.rule, operation: operation.shown, digest }
  return payload
}

/** Logs what asset login rules decided, and tells those who are to know. */
async function recordRules(ctx: Context, run: JudgedRun, all: readonly Judgement[]): Promise<void> {
  const uses = new Map<string, { rule: LoginAssetRule; uses: DecidedUse[] }>()
  for (const { row, use, rejected } of all) {
    const rule = use?.rule ?? rejected?.rule
    if (!rule) continue
    const known = uses.get(rule.id) ?? { rule, uses: [] }
    known.uses.push({
      userName: `${ctx.me.name}(${ctx.me.username})`,
      assetName: `${row.name}(${row.address})`,
      accountNames: use?.accountNames ?? rejected?.accountNames ?? [],
      ip: run.from,
    })
    uses.set(rule.id, known)
  }
  if (uses.size === 0) return
  await ctx.transaction(async (inside) => {
    for (const one of uses.values()) await recordRule(inside, one.rule, one.uses)
  })
}

/** Decides for each asset what runs on it, and why nothing does. Assets that are gone have no item. */
export async function decideHosts(
  ctx: Context,
  run: JudgedRun & { files: string },
  assets: readonly string[],
): Promise<NewItem[]> {
  const nameOf = hostNames()
  const items: NewItem[] = []
  const all: Judgement[] = []
  for await (const judge of judges(ctx, run, assets))
    for (const row of judge.rows) {
      const judged = await judge.about(row, run.snapshot)
      all.push(judged)
      const payload: HostPayload = payloadOf(ctx, judged, nameOf(row.name), run.files)
      items.push({ target: { type: asset.key, id: row.id, label: row.name }, payload })
    }
  await recordRules(ctx, run, all)
  return items
}
