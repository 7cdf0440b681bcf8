import { errors } from '@castellan/contract/messages/errors'
import { batches } from '../../db/batches.ts'
import { brokenConstraint } from '../../db/errors.ts'
import { updateRows } from '../../db/update-rows.ts'
import type { Change, Field, StoredRow } from '../fields/field.ts'
import { sentIn } from '../fields/form.ts'
import { isObject } from '../fields/safe-lookup.ts'
import { normalId } from '../fields/scalars.ts'
import type { Params } from '../http/route.ts'
import type { Context } from '../module/context.ts'
import {
  type ApiError,
  badRequest,
  failure,
  invalid,
  notAnObject,
  type Problem,
  Problems,
  quoted,
  Rejected,
  text,
} from '../module/errors.ts'
import { linksBefore, recordDeletes, recordSaves } from './changes.ts'
import { completed, decoded, deleteRows, insertEncoded, stampsOf, withDefaults } from './repository.ts'
import type { Resource, Row } from './resource.ts'

export type Mode = 'create' | 'update'

interface Intake {
  mode: Mode
  /** PATCH: only the sent fields change. */
  partial: boolean
  /** Report errors as an array aligned with the input instead of one object. */
  bulk: boolean
  /** For each sent row its index among the saved ones; undefined where a later entry for the same row replaces it. */
  places?: readonly (number | undefined)[]
  query: Params
}

interface Draft {
  input: StoredRow
  before: StoredRow | undefined
  values: StoredRow
  problems: Problems
}

/** The fields this caller may write. */
export function writableFields(ctx: Context, resource: Resource, mode: Mode): [string, Field][] {
  const hidden = new Set(resource.hidden?.(ctx, mode === 'create' ? 'create' : 'update') ?? [])
  return Object.entries(resource.fields).filter(
    ([name, field]) =>
      !field.readOnly &&
      !hidden.has(name) &&
      field.parse &&
      (name !== 'id' || (mode === 'create' && resource.idWritable)),
  )
}

function parseField(ctx: Context, draft: Draft, name: string, field: Field, intake: Intake): void {
  const sent = sentIn(draft.input, name, field)
  if (sent === undefined) {
    if (intake.partial) return
    if (intake.mode === 'update' && !field.required) {
      if (field.resets) draft.values[name] = typeof field.default === 'function' ? field.default(ctx) : field.default
      return
    }
    if (field.required) draft.problems.add(name, text(errors.required))
    return
  }
  if (sent === null) {
    if (field.nullable) draft.values[name] = null
    else if (!field.writeOnly) draft.problems.add(name, text(errors.null))
    return
  }
  try {
    draft.values[name] = field.parse?.(sent, ctx)
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    draft.problems.add(name, error.problem)
  }
}

/** Checks that related rows exist, with one query per field for all rows of a call. */
async function resolveReferences(ctx: Context, drafts: Draft[], fields: [string, Field][]): Promise<void> {
  for (const [name, field] of fields) {
    if (!field.resolve) continue
    const sent = drafts.filter((draft) => draft.values[name] !== undefined && !draft.problems.has(name))
    if (sent.length === 0) continue
    const resolved = await field.resolve(
      ctx,
      sent.map((draft) => draft.values[name]),
      (index, problem) => sent[index]?.problems.add(name, problem),
      sent.map((draft) => draft.before),
    )
    sent.forEach((draft, index) => {
      draft.values[name] = resolved[index]
    })
  }
}

/** Checks declared uniqueness for all rows of a call, against the database and among themselves. */
async function checkUnique(ctx: Context, resource: Resource, changes: Change[], drafts: Draft[]): Promise<void> {
  for (const set of resource.unique ?? []) {
    const columns = set.filter((column) => column !== 'org_id')
    const involved = changes.filter((change, index) => {
      const draft = drafts[index]
      return (
        draft &&
        columns.every((column) => !draft.problems.has(fieldOf(resource, column))) &&
        columns.every((column) => change.row[column] !== null && change.row[column] !== undefined) &&
        (change.mode === 'create' || columns.some((column) => change.before?.[column] !== change.row[column]))
      )
    })
    if (involved.length === 0) continue
    const keyOf = (row: StoredRow) =>
      JSON.stringify([...columns.map((column) => row[column]), set.includes('org_id') ? row.org_id : null])
    const taken = await holders(ctx, resource, set, involved, keyOf)
    for (const change of involved) {
      const key = keyOf(change.row)
      const holder = taken.get(key)
      if (holder !== undefined && holder !== change.row.id)
        for (const field of resource.conflictsUnder && columns.length > 1
          ? [resource.conflictsUnder]
          : columns.map((column) => fieldOf(resource, column)))
          drafts[change.index]?.problems.add(field, text(errors.unique))
      taken.set(key, change.row.id)
    }
  }
}

/** Ids of rows that hold one of the changes' value combinations, by combination. */
async function holders(
  ctx: Context,
  resource: Resource,
  set: readonly string[],
  involved: readonly Change[],
  keyOf: (row: StoredRow) => string,
): Promise<Map<string, unknown>> {
  // Queries by the most selective column; the other columns narrow the result when they have few values.
  const values = set
    .map((column) => ({ column, all: [...new Set(involved.map((change) => change.row[column]))] }))
    .sort((a, b) => b.all.length - a.all.length)
  const [widest, ...others] = values
  const taken = new Map<string, unknown>()
  if (!widest) return taken
  for (const some of batches(widest.all)) {
    let rows = ctx.rawDb
      .selectFrom(resource.table)
      .select(['id', ...set])
      .where(widest.column, 'in', some)
    for (const { column, all } of others)
      if (all.length <= 50 && all.every((value) => value !== undefined))
        rows = rows.where((eb) =>
          all.includes(null) ? eb.or([eb(column, 'in', all), eb(column, 'is', null)]) : eb(column, 'in', all),
        )
    for (const row of await rows.execute()) taken.set(keyOf(row), row.id)
  }
  return taken
}

const fieldOf = (resource: Resource, column: string) =>
  Object.keys(resource.fields).find((name) => resource.columnOf(name) === column) ?? column

function throwValidation(drafts: Draft[], { bulk, places }: Intake): void {
  if (!drafts.some(({ problems }) => problems.any)) return
  const errors = drafts.map(({ problems }) => problems.toProblem())
  const aligned = places?.map((place) => (place === undefined ? {} : (errors[place] ?? {})))
  throw invalid(bulk ? (aligned ?? errors) : (errors[0] ?? {}))
}

async function drafted(
  ctx: Context,
  resource: Resource,
  inputs: readonly unknown[],
  befores: readonly (StoredRow | undefined)[],
  intake: Intake,
): Promise<Draft[]> {
  const fields = writableFields(ctx, resource, intake.mode)
  const drafts: Draft[] = []
  for (const [index, raw] of inputs.entries()) {
    const problems = new Problems()
    let input: StoredRow = {}
    if (isObject(raw)) {
      const before = befores[index]
      input = resource.hooks?.prepare
        ? await resource.hooks.prepare(ctx, raw, {
            mode: intake.mode,
            partial: intake.partial,
            bulk: intake.bulk,
            query: intake.query,
            ...(before ? { before } : {}),
          })
        : raw
    } else problems.only('non_field_errors', notAnObject(raw))
    const draft: Draft = { input, before: befores[index], values: {}, problems }
    if (isObject(raw)) for (const [name, field] of fields) parseField(ctx, draft, name, field, intake)
    drafts.push(draft)
  }
  await resolveReferences(ctx, drafts, fields)
  return drafts
}

function changeOf(ctx: Context, resource: Resource, draft: Draft, index: number, intake: Intake): Change {
  const columns: StoredRow = {}
  // A draft with errors is never stored; it only has to be complete enough for the remaining checks to run.
  if (draft.problems.any && resource.scope === 'org' && ctx.isRootOrg) columns.org_id = ctx.orgId
  for (const [name, value] of Object.entries(draft.values)) {
    const field = resource.fields[name]
    if (!field?.column) continue
    // An empty secret leaves the stored one unchanged.
    if (field.secret && (value === '' || value === null) && intake.mode === 'update') continue
    columns[resource.columnOf(name)] = value
  }
  const row =
    intake.mode === 'create'
      ? completed(ctx, resource, withDefaults(ctx, resource, columns))
      : {
          ...draft.before,
          ...columns,
          ...(resource.scope === 'org' ? { org_id: draft.before?.org_id } : {}),
          ...(resource.bare ? {} : stampsOf(ctx)),
        }
  return {
    mode: intake.mode,
    partial: intake.partial,
    before: draft.before,
    row,
    values: draft.values,
    input: draft.input,
    index,
  }
}

async function insertAll(ctx: Context, resource: Resource, changes: Change[]): Promise<void> {
  const rows = changes.map((change) => resource.encode(change.row, ctx))
  await insertEncoded(ctx, resource, rows)
  for (const [index, change] of changes.entries()) change.row.id = rows[index]?.id
}

/** The columns whose values a change alters, with the row's id. */
function changedColumns({ row, before }: Change): StoredRow {
  return Object.fromEntries(
    Object.entries(row).filter(([column, value]) => column === 'id' || value !== before?.[column]),
  )
}

async function updateAll(ctx: Context, resource: Resource, changes: Change[]): Promise<void> {
  const rows = changes.map((change) => resource.encode(changedColumns(change), ctx))
  await updateRows(ctx.rawDb, ctx.dialect, resource.shape, rows)
}

/** Validates, stores, links and logs: every create and update of a resource runs through here. */
async function save<R extends Resource>(
  ctx: Context,
  resource: R,
  inputs: readonly unknown[],
  befores: readonly (StoredRow | undefined)[],
  intake: Intake,
): Promise<Row<R>[]> {
  if (
    intake.mode === 'create' &&
    resource.scope === 'org' &&
    ctx.isRootOrg &&
    // A writable `org_id` field means that callers may name the organization themselves.
    (resource.fields.org_id?.readOnly ?? true) &&
    !inputs.every((input) => isObject(input) && input.org_id)
  )
    throw badRequest(text(errors.no_organization))
  const drafts = await drafted(ctx, resource, inputs, befores, intake)
  const changes = drafts.map((draft, index) => changeOf(ctx, resource, draft, index, intake))
  await resource.hooks?.validate?.(ctx, changes, (index, field, problem) => drafts[index]?.problems.add(field, problem))
  await checkIds(ctx, resource, changes, drafts)
  await checkUnique(ctx, resource, changes, drafts)
  throwValidation(drafts, intake)
  await resource.hooks?.beforeSave?.(ctx, changes)
  demandValues(resource, changes, drafts)
  throwValidation(drafts, intake)
  await (intake.mode === 'create' ? insertAll : updateAll)(ctx, resource, changes)
  const links = await linksBefore(ctx, resource, changes)
  for (const [name, field] of Object.entries(resource.fields)) if (field.store) await field.store(ctx, changes, name)
  await resource.hooks?.afterSave?.(ctx, changes)
  await recordSaves(ctx, resource, changes, links)
  return changes.map((change) => decoded(resource, resource.encode(change.row, ctx)))
}

/** Reports a missing value of a NOT NULL column as a validation error instead of a database error. */
function demandValues(resource: Resource, changes: readonly Change[], drafts: readonly Draft[]): void {
  for (const [column, field] of resource.stored) {
    if (field.column?.nullable || column in auditColumns) continue
    const name = fieldOf(resource, column)
    for (const change of changes) {
      const value = change.row[column]
      if (value !== null && value !== undefined) continue
      if (!drafts[change.index]?.problems.has(name)) drafts[change.index]?.problems.add(name, text(errors.required))
    }
  }
}

const auditColumns: StoredRow = { created_by: 1, updated_by: 1, date_created: 1, date_updated: 1 }

async function checkIds(ctx: Context, resource: Resource, changes: Change[], drafts: Draft[]): Promise<void> {
  const chosen = changes.filter((change) => change.mode === 'create' && change.values.id !== undefined)
  if (chosen.length === 0) return
  const ids = chosen.map((change) => change.row.id)
  const taken = new Set<unknown>()
  for (const some of batches(ids))
    for (const { id } of await ctx.rawDb.selectFrom(resource.table).select('id').where('id', 'in', some).execute())
      taken.add(id)
  for (const change of chosen) {
    if (taken.has(change.row.id)) drafts[change.index]?.problems.add('id', text(errors.unique))
    taken.add(change.row.id)
  }
}

export const createMany = <R extends Resource>(
  ctx: Context,
  resource: R,
  inputs: readonly unknown[],
  query: Params = {},
): Promise<Row<R>[]> =>
  save(
    ctx,
    resource,
    inputs,
    inputs.map(() => undefined),
    { mode: 'create', partial: false, bulk: true, query },
  )

export async function createOne<R extends Resource>(
  ctx: Context,
  resource: R,
  input: unknown,
  query: Params = {},
): Promise<Row<R>> {
  return (
    await save(ctx, resource, [input], [undefined], { mode: 'create', partial: false, bulk: false, query })
  )[0] as Row<R>
}

export async function updateOne<R extends Resource>(
  ctx: Context,
  resource: R,
  before: StoredRow,
  input: unknown,
  partial: boolean,
  query: Params = {},
): Promise<Row<R>> {
  await resource.guard?.(ctx, before, 'update')
  return (await save(ctx, resource, [input], [before], { mode: 'update', partial, bulk: false, query }))[0] as Row<R>
}

/** Updates rows of a bulk call within the caller's filtered list; errors are aligned with the input. */
export async function updateMany(
  ctx: Context,
  resource: Resource,
  inputs: readonly unknown[],
  visible: (ids: readonly unknown[]) => Promise<StoredRow[]>,
  partial: boolean,
  query: Params,
): Promise<StoredRow[]> {
  const problems: Problem[] = inputs.map(() => ({}))
  const ids = inputs.map((input, index) => {
    if (!isObject(input)) {
      problems[index] = { non_field_errors: [notAnObject(input)] }
      return undefined
    }
    const sent = input.id ?? input.pk
    if (sent === undefined || sent === null || sent === '') {
      problems[index] = [text(errors.required)]
      return undefined
    }
    const id = normalId(resource, sent)
    if (id === undefined) problems[index] = { id: [text(errors.not_a_uuid, { input: quoted(sent) })] }
    return id
  })
  const rows = new Map((await visible(ids.filter((id) => id !== undefined))).map((row) => [row.id, row]))
  ids.forEach((id, index) => {
    if (id !== undefined && !rows.has(id)) problems[index] = text(errors.does_not_exist, { pk: id })
  })
  if (problems.some((problem) => JSON.stringify(problem) !== '{}')) throw invalid(problems)
  // The same id twice is one row; the last values win.
  const last = new Map(ids.map((id, index) => [id, index]))
  const counted = [...last.values()]
  const placeOf = new Map(counted.map((index, place) => [index, place]))
  const places = inputs.map((_, index) => placeOf.get(index))
  const befores = [...last.keys()].map((id) => rows.get(id))
  for (const before of befores) if (before) await resource.guard?.(ctx, before, 'update')
  const sent = counted.map((index) => inputs[index])
  return save(ctx, resource, sent, befores, { mode: 'update', partial, bulk: true, places, query })
}

/** Deletes rows through their guards and logs it; a row that others refer to remains (400 `referenced_by_others`). */
export async function destroy(ctx: Context, resource: Resource, rows: readonly StoredRow[]): Promise<void> {
  for (const row of rows) await resource.guard?.(ctx, row, 'delete')
  await resource.hooks?.beforeDelete?.(ctx, rows)
  try {
    await deleteRows(
      ctx,
      resource,
      rows.map((row) => row.id),
    )
  } catch (error) {
    if (brokenConstraint(error)?.kind === 'foreign')
      throw failure(400, 'referenced_by_others', text(errors.referenced_by_others))
    throw error
  }
  await resource.hooks?.afterDelete?.(ctx, rows)
  await recordDeletes(ctx, resource, rows)
}

/** The API error for a constraint that a concurrent request violated first. */
export function constraintError(error: unknown): ApiError | undefined {
  const broken = brokenConstraint(error)
  if (!broken) return undefined
  return broken.kind === 'unique'
    ? invalid({ non_field_errors: [text(errors.unique)] })
    : failure(400, 'referenced_by_others', text(errors.referenced_by_others))
}
