import { appletPublicationStatuses } from '@castellan/contract/choices/terminal'
import { choice, datetime, longText, one, type StoredRow } from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { insertRows } from '../../kernel/resource/repository.ts'
import { defineResource, type ListQuery, type Row } from '../../kernel/resource/resource.ts'
import { hostTable } from './hosts/host-options.ts'

const related = (query: ListQuery) =>
  query
    .innerJoin('terminal_applet as applet', 'applet.id', 't.applet_id')
    .innerJoin('assets_asset as host', 'host.id', 't.host_id') as unknown as ListQuery

/** Whether an application is installed on a host, as the host reports it. */
export const publication = defineResource({
  app: 'terminal',
  name: 'appletpublication',
  path: 'applet-publications',
  scope: 'global',
  bulk: false,
  wholeRows: true,
  idWritable: true,
  imports: false,
  fields: {
    applet: {
      ...one('terminal.applet', {
        required: true,
        onDelete: 'cascade',
        show: (row: StoredRow) => ({
          id: row.id,
          name: row.name,
          display_name: row.display_name,
          icon: row.icon_data ? `/media/applets/${encodeURIComponent(String(row.name))}/icon.png` : null,
          version: row.version,
        }),
      }),
      filter: true,
    },
    host: {
      ...one('terminal.applethost', { required: true, anyOrg: true, onDelete: 'cascade' }),
      filter: true,
    },
    status: choice(appletPublicationStatuses, { default: 'pending', filter: true }),
    comment: longText(),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
  orderable: [],
  unique: [['applet_id', 'host_id']],
  indexes: [['host_id']],
  search: ['applet.name', 'applet.display_name', 'host.name'],
  visible: (_ctx, query) => related(query),
  defaultOrder: ['date_created'],
  display: (row) => `${row.applet_id}@${row.host_id}`,
})

export type PublicationRow = Row<typeof publication>

const ids = async (ctx: Context, table: string): Promise<string[]> =>
  (await ctx.rawDb.selectFrom(table).select('id').execute()).map(({ id }) => String(id))

/** The rows of new applets on all hosts, or of all applets on new hosts. */
export async function addPublications(
  ctx: Context,
  applets: readonly string[] | undefined,
  hosts: readonly string[] | undefined,
): Promise<void> {
  const onHosts = hosts ?? (await ids(ctx, hostTable.name))
  const ofApplets = applets ?? (await ids(ctx, 'terminal_applet'))
  await insertRows(
    ctx,
    publication,
    ofApplets.flatMap((applet_id) => onHosts.map((host_id) => ({ applet_id, host_id }))),
  )
}
