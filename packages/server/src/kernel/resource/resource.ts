import type { ColumnShape, TableShape } from '../../db/schema.ts'
import type { Field, ManyField, StoredRow } from '../fields/field.ts'
import type { Requirement } from '../security/permission.ts'
import { Sealed } from '../security/secrets.ts'
import type { Resource, ResourceDeclaration, ResourceOptions, Verb } from './resource-declaration.ts'
import type { Fields, NoFields } from './row-types.ts'
import { idField, orgFields, serialIdField } from './standard-fields.ts'

export type * from './resource-declaration.ts'
export type { Columns, Fields, Row, RowOf, ValuesOf } from './row-types.ts'

const text: ColumnShape = { type: 'text', nullable: true }
const auditColumns: Record<string, ColumnShape> = {
  created_by: text,
  updated_by: text,
  date_created: { type: 'timestamp' },
  date_updated: { type: 'timestamp' },
}

const registry = new Map<string, Resource>()

/** A resource by `app.name`; available once every module is loaded. */
export function findResource(key: string): Resource {
  const found = registry.get(key)
  if (!found) throw new Error(`No resource is called ${key}.`)
  return found
}

export const hasResource = (key: string): boolean => registry.has(key)

const actionOf: Record<Verb, string> = {
  list: 'view',
  retrieve: 'view',
  create: 'add',
  update: 'change',
  delete: 'delete',
}

/** The requirement of a verb of a resource. */
export function requirement(resource: Resource, verb: Verb): Requirement {
  return (
    resource.requires?.[verb] ??
    (`${resource.app}.${actionOf[verb]}_${resource.permission ?? resource.name}` as Requirement)
  )
}

export const allResources = (): readonly Resource[] => [...new Set(registry.values())]

/** A secret to be stored, still sealed or not. */
const secretIn = (value: unknown): Sealed | string | null =>
  value instanceof Sealed || typeof value === 'string' ? value : null

/** Declares a resource. Its table, routes, metadata, permission checks and log entries follow from this. */
export function defineResource<
  const F extends Fields,
  const C extends Fields = NoFields,
  const S extends boolean = false,
>(declaration: ResourceDeclaration<F, C, S>): Resource<F, C, S>
export function defineResource(declaration: AnyDeclaration): Resource {
  const resource = resourceOf(declaration)
  const known = registry.get(resource.key)
  if (!known || !declaration.shares) registry.set(resource.key, resource)
  // Another declaration on the same table and model, such as one category of assets, is registered by its path.
  if (declaration.shares) registry.set(`${declaration.app}/${declaration.path}`, resource)
  return resource
}

type AnyDeclaration = ResourceOptions & Pick<Resource, 'fields' | 'columns' | 'serialId'>

/** What follows from a declaration, without making it known to others. */
export function resourceOf(declaration: AnyDeclaration): Resource {
  const table = declaration.table ?? `${declaration.app}_${declaration.name}`
  const fields: Fields = {
    ...(declaration.noId
      ? {}
      : { id: declaration.serialId ? serialIdField(declaration.idWritable ?? false) : idField() }),
    ...declaration.fields,
    ...(declaration.scope === 'org' && declaration.orgFields !== false ? orgFields() : {}),
  }
  const columnOf = (name: string): string => {
    const column = (fields[name] ?? declaration.columns?.[name])?.column
    return column?.name ?? ((fields[name] ?? declaration.columns?.[name])?.isRef ? `${name}_id` : name)
  }
  const stored = new Map<string, Field>()
  for (const [name, field] of Object.entries({ ...fields, ...declaration.columns }))
    if (field.column && name !== 'id' && name !== 'org_id') stored.set(columnOf(name), field as Field)
  // Computed once, because rows are decoded by the thousand.
  const sealed = [...stored].flatMap(([column, field]) => (field.secret ? [column] : []))
  const coded = [...stored].flatMap(([column, { secret, decode }]) => (decode && !secret ? [{ column, decode }] : []))

  const resource: Resource = {
    idWritable: !declaration.serialId,
    bulk: true,
    bulkDelete: declaration.scope === 'org' ? 'narrower' : 'ids',
    verbs: ['list', 'retrieve', 'create', 'update', 'delete'],
    ...declaration,
    fields,
    key: `${declaration.app}.${declaration.name}`,
    table,
    url: `/api/v1/${declaration.app}/${declaration.path}/`,
    columnOf,
    stored,
    decode(row) {
      const decoded: StoredRow = { ...row }
      for (const column of sealed)
        if (column in decoded)
          decoded[column] = decoded[column] ? new Sealed(String(decoded[column]), `${table}.${column}`) : null
      for (const { column, decode } of coded) if (column in decoded) decoded[column] = decode(decoded[column])
      for (const column of ['date_created', 'date_updated'])
        if (column in decoded) decoded[column] = Number(decoded[column])
      return decoded
    },
    encode(values, ctx) {
      const encoded: StoredRow = {}
      for (const column of Object.keys(values)) {
        const value = values[column]
        const field = stored.get(column)
        if (field?.secret) encoded[column] = ctx.services.vault.stored(secretIn(value), `${table}.${column}`)
        else encoded[column] = field?.encode ? field.encode(value, ctx) : (value ?? null)
      }
      return encoded
    },
    displayOf: (row) => declaration.display?.(row) ?? String(row.name ?? row.id),
    get shape() {
      return tableShape(resource)
    },
    get joins() {
      return joinShapes(resource)
    },
  }
  return resource
}

function references(shape: ColumnShape & { name?: string }): ColumnShape {
  const { name: _name, ...column } = shape
  return column.references && !column.references.includes('(') ? { ...column, ...target(column.references) } : column
}

function target(key: string): Pick<ColumnShape, 'references' | 'type'> {
  const related = findResource(key)
  return { references: `${related.table}.id`, type: related.serialId ? 'integer' : 'uuid' }
}

/**
 * The columns of the resource's substring index; undefined when `search` covers more than text columns of its own
 * table.
 */
export function indexedSearch(resource: Resource): readonly string[] | undefined {
  const columns = resource.search?.filter((name) => name !== 'id').map(resource.columnOf)
  const isText = (column: string) => resource.stored.get(column)?.column?.type === 'text'
  return columns && columns.length > 0 && columns.every(isText) ? columns : undefined
}

function tableShape(resource: Resource): TableShape {
  const columns: Record<string, ColumnShape> = { id: { type: resource.serialId ? 'serial' : 'uuid' } }
  const search = indexedSearch(resource)
  for (const [column, field] of resource.stored)
    if (column !== 'id' && field.column) columns[column] = references(field.column)
  if (resource.scope === 'org') columns.org_id = { type: 'uuid' }
  if (!resource.bare)
    Object.assign(columns, Object.fromEntries(Object.entries(auditColumns).filter(([name]) => !(name in columns))))
  return {
    name: resource.table,
    columns,
    primaryKey: ['id'],
    unique: resource.unique ?? [],
    indexes: resource.indexes ?? [],
    ...(search ? { search } : {}),
  }
}

function joinShapes(resource: Resource): (TableShape & { field: string })[] {
  return Object.entries(resource.fields).flatMap(([field, declared]) => {
    const join = (declared as Partial<ManyField>).join
    if (!join || join.from === '' || declared.readOnly) return []
    const columns: Record<string, ColumnShape> = {
      id: { type: 'serial' },
      [join.from]: { ...target(resource.key), type: resource.serialId ? 'integer' : 'uuid', onDelete: 'cascade' },
      [join.to]: { ...(target(join.target) as ColumnShape), onDelete: 'cascade' },
    }
    return [
      {
        field,
        name: join.table,
        columns,
        primaryKey: ['id'],
        unique: [[join.from, join.to]],
        indexes: [[join.to]],
      },
    ]
  })
}
