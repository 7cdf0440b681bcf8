import type { HostKeyVerdict } from '@castellan/contract/host-keys'
import { hostKeyVerifyPath } from '@castellan/contract/host-keys'
import { errors } from '@castellan/contract/messages/errors'
import { integer, text, uuid } from '../../../kernel/fields/index.ts'
import { defineRoute, type Handling } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { badRequest, text as say } from '../../../kernel/module/errors.ts'
import { readBody } from '../../../kernel/resource/body.ts'
import { recordSaves } from '../../../kernel/resource/changes.ts'
import { findAll, getById, insertRow, lockRow, updateRow } from '../../../kernel/resource/repository.ts'
import type { Row } from '../../../kernel/resource/resource.ts'
import { actionRoutes } from '../../../kernel/resource/resource-routes.ts'
import { serializeOne } from '../../../kernel/resource/serialize.ts'
import { asset } from '../asset.ts'
import { decideRedirect } from '../redirects.ts'
import { hostKey } from './host-key.ts'

type HostKeyRow = Row<typeof hostKey>

const checkFields = {
  asset: uuid({ required: true, nullable: false }),
  port: integer({ required: true, min: 1, max: 65_535 }),
  algorithm: text({ required: true, max: 64 }),
  fingerprint: text({ required: true, max: 128 }),
  public_key: text({ required: true, max: 16_384 }),
}

interface Check {
  asset: string
  port: number
  algorithm: string
  fingerprint: string
  public_key: string
}

async function change(ctx: Context, before: HostKeyRow, values: Partial<HostKeyRow>): Promise<HostKeyRow> {
  const row = { ...before, ...values, date_updated: ctx.now }
  await updateRow(ctx, hostKey, before.id, { ...values, date_updated: ctx.now })
  await recordSaves(ctx, hostKey, [{ mode: 'update', partial: true, before, row, values: {}, input: {}, index: 0 }])
  return row
}

/** Whether this key is pinned for an asset of the organization. */
export async function isPinned(ctx: Context, { asset: id, port, algorithm, fingerprint }: Check): Promise<boolean> {
  const pinned = await findAll(ctx, hostKey, (query) =>
    query.where('t.asset_id', '=', id).where('t.port', '=', port).where('t.algorithm', '=', algorithm),
  )
  return pinned.some((row) => row.fingerprint === fingerprint)
}

/**
 * Pins the first key a host shows and compares every later one. A key of another algorithm is another key: accepting
 * it unseen would let an impostor choose an algorithm that was not pinned yet.
 */
export async function verifyHostKey(outer: Context, check: Check): Promise<HostKeyVerdict> {
  const target = await getById(outer.acrossOrgs(), asset, check.asset)
  const ctx = outer.inOrg(target.org_id)
  const look = () =>
    findAll(ctx, hostKey, (query) => query.where('t.asset_id', '=', target.id).where('t.port', '=', check.port))
  let pinned = await look()
  if (pinned.length === 0) {
    // Whoever else connects for the first time at this moment must not pin another one.
    await lockRow(ctx, asset.table, target.id)
    pinned = await look()
  }
  const [first] = pinned
  const key = { algorithm: check.algorithm, fingerprint: check.fingerprint, public_key: check.public_key }
  if (!first) {
    const values = { asset_id: target.id, port: check.port, ...key, offered_fingerprint: '', offered_public_key: '' }
    const row = await insertRow(ctx, hostKey, values)
    await recordSaves(ctx, hostKey, [
      { mode: 'create', partial: false, before: undefined, row, values: {}, input: {}, index: 0 },
    ])
    return { status: 'pinned' }
  }
  if (pinned.some((row) => row.algorithm === key.algorithm && row.fingerprint === key.fingerprint))
    return { status: 'match' }
  const expected = pinned.find((row) => row.algorithm === key.algorithm) ?? first
  await change(ctx, expected, {
    offered_algorithm: key.algorithm,
    offered_fingerprint: key.fingerprint,
    offered_public_key: key.public_key,
  })
  return { status: 'mismatch', expected: { algorithm: expected.algorithm, fingerprint: expected.fingerprint } }
}

/** The key that was offered instead becomes the pinned one. */
async function acceptOffered({ ctx, row }: Handling & { row: object }): Promise<unknown> {
  const pinned = row as HostKeyRow
  if (!pinned.offered_fingerprint) throw badRequest(say(errors.conflict))
  // Another machine is trusted with what is sent to this asset.
  await decideRedirect(ctx, [pinned.asset_id])
  const accepted = await change(ctx, pinned, {
    algorithm: pinned.offered_algorithm || pinned.algorithm,
    fingerprint: pinned.offered_fingerprint,
    public_key: pinned.offered_public_key,
    offered_algorithm: '',
    offered_fingerprint: '',
    offered_public_key: '',
  })
  return serializeOne(ctx, hostKey, accepted)
}

export const hostKeyRoutes = [
  defineRoute({
    method: 'POST',
    path: hostKeyVerifyPath,
    // Components ask before they send a credential.
    requires: 'authentication.view_superconnectiontokensecret',
    componentsOnly: true,
    summary: 'Compare the key a host shows with the pinned one; pin the first',
    fields: { POST: checkFields },
    handle: ({ ctx, request }) => verifyHostKey(ctx, readBody<Check>(ctx, checkFields, request.body)),
  }),
  ...actionRoutes(hostKey, [
    {
      path: 'accept',
      methods: ['PUT', 'PATCH'],
      detail: true,
      requires: 'assets.change_asset',
      summary: 'Pin the key that was offered instead',
      handle: acceptOffered,
    },
  ]),
]
