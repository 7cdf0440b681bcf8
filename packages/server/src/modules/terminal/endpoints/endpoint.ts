import { defaultEndpointId } from '@castellan/contract/ids'
import {
  addressItem,
  boolean,
  computed,
  datetime,
  describedAs,
  integer,
  longText,
  one,
  stringList,
  text,
} from '../../../kernel/fields/index.ts'
import { defineRoute, noContent, type Route } from '../../../kernel/http/route.ts'
import type { Context } from '../../../kernel/module/context.ts'
import { destroy } from '../../../kernel/resource/mutations.ts'
import { findById, insertRow, updateRow } from '../../../kernel/resource/repository.ts'
import { defineResource, type Row } from '../../../kernel/resource/resource.ts'
import { deleteSelection, rowBySegment } from '../../../kernel/resource/resource-routes.ts'
import { writerField } from '../../../kernel/resource/standard-fields.ts'
import { componentOptions } from '../settings.ts'

const oraclePorts = (ctx: Context) => componentOptions.of(ctx).MAGNUS_ORACLE_PORTS
const port = (standard: number) => integer({ min: 0, max: 65_535, default: standard })

/** An address for clients: a host name and a port per protocol; 0 disables a protocol. */
export const endpoint = defineResource({
  app: 'terminal',
  name: 'endpoint',
  path: 'endpoints',
  scope: 'global',
  // The default endpoint cannot be deleted; see `deleteEndpoint`.
  verbs: ['list', 'retrieve', 'create', 'update'],
  wholeRows: true,
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    host: text({ max: 256, filter: true }),
    https_port: port(443),
    http_port: port(80),
    ssh_port: port(2222),
    rdp_port: port(3389),
    mysql_port: port(33061),
    mariadb_port: port(33062),
    postgresql_port: port(54320),
    redis_port: port(63790),
    oracle_port_range: computed('string', {
      meta: (ctx) => ({ max_length: 128, default: oraclePorts(ctx) }),
      wire: (_value, ctx) => oraclePorts(ctx),
    }),
    oracle_port: computed('field', { wire: () => 0 }),
    comment: longText(),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    created_by: writerField(),
  },
  unique: [['name']],
  search: ['name', 'host'],
  defaultOrder: ['name'],
  deletable: async (_ctx, rows) => rows.filter(({ id }) => id !== defaultEndpointId),
})

export type EndpointRow = Row<typeof endpoint>

/** Deleting the default endpoint succeeds without effect. */
export const deleteEndpoint: Route[] = [
  defineRoute({
    method: 'DELETE',
    path: endpoint.url,
    requires: 'terminal.delete_endpoint',
    summary: 'Delete the selected endpoints',
    statuses: [204],
    handle: ({ ctx, request }) => deleteSelection(ctx, endpoint, request.query),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${endpoint.url}:id/`,
    requires: 'terminal.delete_endpoint',
    summary: 'Delete an endpoint',
    statuses: [204],
    async handle({ ctx, request }) {
      const row = await rowBySegment(ctx, endpoint, request.params.id ?? '')
      if (row.id !== defaultEndpointId) await destroy(ctx, endpoint, [row])
      return noContent()
    },
  }),
]

/**
 * Chooses the endpoint for clients of an asset, by the asset's address. Rules are evaluated from the highest priority.
 */
export const endpointRule = defineResource({
  app: 'terminal',
  name: 'endpointrule',
  path: 'endpoint-rules',
  scope: 'global',
  wholeRows: true,
  fields: {
    name: text({ max: 128, required: true, filter: true }),
    ip_group: stringList({
      max: 1024,
      default: ['*'],
      item: addressItem,
    }),
    priority: integer({ min: 1, max: 100, default: 50 }),
    endpoint: one('terminal.endpoint', { nullable: true, onDelete: 'set null' }),
    comment: longText(),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
    created_by: writerField(),
    is_active: describedAs(boolean({ default: true }), { default: undefined }),
  },
  unique: [['name'], ['priority']],
  indexes: [['endpoint_id']],
  search: ['name'],
  defaultOrder: ['-priority', '-is_active', 'name'],
})

/** Creates the default endpoint. Its SSH port follows the configuration until an administrator changes it. */
export async function seedEndpoint(ctx: Context): Promise<void> {
  const ssh_port = ctx.services.config.sshPort
  const known = await findById(ctx, endpoint, defaultEndpointId)
  if (!known)
    await insertRow(ctx, endpoint, {
      id: defaultEndpointId,
      name: 'Default',
      host: '',
      https_port: 0,
      http_port: 0,
      ssh_port,
    })
  else if (known.updated_by === 'System' && known.ssh_port !== ssh_port)
    await updateRow(ctx, endpoint, defaultEndpointId, { ssh_port })
}
