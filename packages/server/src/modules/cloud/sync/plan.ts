import { batches } from '../../../db/batches.ts'
import type { StoredRow } from '../../../kernel/fields/index.ts'
import { findAll } from '../../../kernel/resource/repository.ts'
import { type AssetRow, asset } from '../../assets/index.ts'
import { type InstanceRow, instance, instanceStatus } from '../instance.ts'
import type { Outcome } from '../strategy-rules.ts'
import { assetName, furtherName, type Machine } from './machine.ts'
import type { SyncSetup } from './setup.ts'

type KnownAsset = Pick<AssetRow, 'id' | 'name' | 'address' | 'is_active'>

/** What strategies set for an asset, as it is compared between runs. */
export interface Applied extends StoredRow {
  platform: number
  domain: string | null
  nodes: readonly string[]
  labels: readonly string[]
  protocols: Outcome['protocols']
}

/** What a synchronization does with one machine. */
export type Decision = { machine: Machine; row: InstanceRow | undefined } & (
  | { kind: 'new'; body: StoredRow; applied: Applied }
  | { kind: 'updated'; assetId: string; patch: StoredRow; applied: Applied }
  | { kind: 'same'; assetId: string; applied: Applied }
)

/** The names of nodes are separated by slashes. */
const nodeName = (text: string) => text.replaceAll('/', '-').trim() || '-'

async function rowsOf(
  { ctx, task }: SyncSetup,
  region: string,
  ids: readonly string[],
): Promise<Map<string, InstanceRow>> {
  const found = new Map<string, InstanceRow>()
  for (const some of batches(ids))
    for (const row of await findAll(ctx, instance, (query) =>
      query.where('t.task_id', '=', task.id).where('t.region', '=', region).where('t.instance_id', 'in', some),
    ))
      found.set(row.instance_id, row)
  return found
}

/** Assets that other tasks of the account have made for the same machines. */
async function sharedAssets({ ctx, task }: SyncSetup, region: string, ids: readonly string[]) {
  const found = new Map<string, string>()
  for (const some of batches(ids))
    for (const row of await ctx.rawDb
      .selectFrom('xpack_syncinstancedetail as d')
      .innerJoin('xpack_syncinstancetask as k', 'k.id', 'd.task_id')
      .select(['d.instance_id', 'd.asset_id'])
      .where('d.org_id', '=', task.org_id)
      .where('k.account_id', '=', task.account_id)
      .where('d.task_id', '!=', task.id)
      .where('d.region', '=', region)
      .where('d.instance_id', 'in', some)
      .where('d.asset_id', 'is not', null)
      .execute())
      found.set(row.instance_id, row.asset_id)
  return found
}

async function assetsBy(
  { ctx }: SyncSetup,
  column: 'id' | 'name',
  values: readonly string[],
): Promise<Map<string, KnownAsset>> {
  const found = new Map<string, KnownAsset>()
  for (const some of batches([...new Set(values)]))
    for (const row of await findAll(ctx, asset, (query) =>
      query.clearSelect().select(['t.id', 't.name', 't.address', 't.is_active']).where(`t.${column}`, 'in', some),
    ))
      found.set(row[column], row)
  return found
}

/** Names that are free in the organization, for machines of one batch. */
async function namesFor(
  setup: SyncSetup,
  machines: readonly { machine: Machine; assetId: string | undefined }[],
): Promise<Map<string, string>> {
  const { hostname_strategy } = setup.task
  const names = new Map<string, string>()
  const given = new Set<string>()
  let left = machines
  for (let attempt = -1; left.length > 0 && attempt < 20; attempt++) {
    const candidate = ({ machine }: (typeof left)[number]) => {
      const base = assetName(machine, hostname_strategy)
      return attempt < 0 ? base : furtherName(base, machine, attempt)
    }
    const taken = await assetsBy(setup, 'name', left.map(candidate))
    left = left.filter((one) => {
      const name = candidate(one)
      const holder = taken.get(name)
      if (given.has(name) || (holder && holder.id !== one.assetId)) return true
      given.add(name)
      names.set(one.machine.id, name)
      return false
    })
  }
  return names
}

function appliedTo(
  { account, defaultPlatforms, outcomeOf }: SyncSetup,
  regionName: string,
  machine: Machine,
): Applied & { templates: readonly string[] } {
  const outcome = outcomeOf({ name: machine.name, platform: machine.platform, address: machine.address })
  return {
    platform: outcome.platform ? Number(outcome.platform) : defaultPlatforms[machine.platform],
    domain: outcome.domain ?? null,
    nodes: outcome.nodes.length > 0 ? outcome.nodes : [`/${nodeName(account.name)}/${nodeName(regionName)}`],
    labels: outcome.labels,
    protocols: outcome.protocols,
    templates: outcome.templates,
  }
}

/** The part of an asset's body that strategies decide. */
const settingsOf = ({ platform, domain, nodes, labels, protocols }: Applied): StoredRow => ({
  platform,
  domain,
  labels,
  ...(nodes[0]?.startsWith('/') ? { nodes_display: nodes.map((path) => path.slice(1)) } : { nodes }),
  ...(protocols.length > 0 ? { protocols } : {}),
})

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** What to do with the machines of a batch. Only reads. */
export async function decide(
  setup: SyncSetup,
  region: { id: string; name: string },
  machines: readonly Machine[],
): Promise<Decision[]> {
  const { task } = setup
  const ids = machines.map(({ id }) => id)
  const rows = await rowsOf(setup, region.id, ids)
  const shared = await sharedAssets(
    setup,
    region.id,
    ids.filter((id) => !rows.get(id)?.asset_id),
  )
  const assetIds = new Map(ids.map((id) => [id, rows.get(id)?.asset_id ?? shared.get(id)]))
  const assets = await assetsBy(
    setup,
    'id',
    [...assetIds.values()].filter((id) => id !== undefined),
  )
  const assetOf = (machine: Machine) => assets.get(assetIds.get(machine.id) ?? '')
  const base = (machine: Machine) => assetName(machine, task.hostname_strategy)
  const keepsName = (machine: Machine, name: string) =>
    name === base(machine) || name.startsWith(furtherName(base(machine), machine, 0))
  const named = machines.flatMap((machine) => {
    const known = assetOf(machine)
    const isFine = known && (!task.is_always_update || keepsName(machine, known.name))
    return isFine ? [] : [{ machine, assetId: known?.id }]
  })
  const names = await namesFor(setup, named)

  return machines.map((machine): Decision => {
    const row = rows.get(machine.id)
    const known = assetOf(machine)
    const { templates, ...applied } = appliedTo(setup, region.name, machine)
    if (!known) {
      const accounts = templates.map((template) => ({ template }))
      const body = {
        name: names.get(machine.id) ?? machine.id,
        address: machine.address,
        ...settingsOf(applied),
        ...(accounts.length > 0 ? { accounts } : {}),
      }
      return { machine, row, kind: 'new', body, applied }
    }
    const wasReleased = row?.status === instanceStatus.released
    const patch: StoredRow = {
      ...(wasReleased && !known.is_active && task.released_action === 'disable' ? { is_active: true } : {}),
      ...(task.is_always_update && names.has(machine.id) ? { name: names.get(machine.id) } : {}),
      ...(task.is_always_update && known.address !== machine.address ? { address: machine.address } : {}),
      ...(task.is_always_update && row?.applied && !isSame(row.applied, applied) ? settingsOf(applied) : {}),
    }
    // Without updates, what was applied remains what it was.
    const kept = task.is_always_update ? applied : ((row?.applied as Applied | null) ?? applied)
    return Object.keys(patch).length > 0
      ? { machine, row, kind: 'updated', assetId: known.id, patch, applied: kept }
      : { machine, row, kind: 'same', assetId: known.id, applied: kept }
  })
}
