import { appletEditions, appletTypes } from '@castellan/contract/choices/terminal'
import {
  boolean,
  choice,
  computed,
  datetime,
  describedAs,
  longText,
  normalUuid,
  slug,
  stringList,
  text,
} from '../../kernel/fields/index.ts'
import type { Context } from '../../kernel/module/context.ts'
import { defineResource, type Row } from '../../kernel/resource/resource.ts'
import { removePackage } from './package/package-files.ts'
import { removePlatform } from './package/package-platform.ts'
import { addPublications } from './publications.ts'

/** Where the icon of an applet is found; null without one. */
export const iconAddress = ({ name, icon_data }: { name: unknown; icon_data: unknown }) =>
  icon_data ? `/media/applets/${encodeURIComponent(String(name))}/icon.png` : null

/** Described as the contract does. */
const names = (max: number) => ({
  ...stringList({ max, maxItems: 50, default: [] }),
  type: 'json' as const,
  order: false,
  meta: () => ({ default: undefined }),
})

/** An application on Windows hosts, which users open for an asset without seeing its credential. */
export const applet = defineResource({
  app: 'terminal',
  name: 'applet',
  path: 'applets',
  scope: 'global',
  idWritable: true,
  fieldOrder: 'declared',
  fields: {
    name: slug({ max: 128, required: true, filter: true }),
    display_name: text({ max: 128, required: true }),
    is_active: describedAs(boolean({ default: true, filter: true }), { default: undefined }),
    version: text({ max: 16, required: true, filter: true }),
    author: text({ max: 128, required: true }),
    type: choice(appletTypes, { required: true }),
    edition: choice(appletEditions, { default: 'community' }),
    can_concurrent: boolean({ default: false }),
    protocols: names(32),
    tags: names(64),
    comment: longText(),
    icon: computed('field', {
      wire: (_value, _ctx, row: { name: string; icon_data: string }) => iconAddress(row),
    }),
    readme: computed('field', { wire: (_value, _ctx, row: { readme_text: string }) => row.readme_text }),
    date_created: datetime({ readOnly: true }),
    date_updated: datetime({ readOnly: true }),
  },
  columns: {
    builtin: boolean({ default: false, filter: true }),
    /** SHA-256 of the stored package, which is also its file name; empty without one. */
    package: text(),
    /** The icon, base64. */
    icon_data: longText(),
    readme_text: longText(),
  },
  unique: [['name']],
  search: ['name', 'display_name', 'author'],
  defaultOrder: ['name'],
  filters: {
    builtin: (_ctx, query, value) => query.where('t.builtin', '=', value === 'true' || value === '1'),
  },
  lookup: (segment) => (normalUuid(segment) ? undefined : { column: 'name', value: segment }),
  hooks: {
    async afterSave(ctx, changes) {
      await addPublications(
        ctx,
        changes.flatMap(({ mode, row }) => (mode === 'create' ? [row.id] : [])),
        undefined,
      )
    },
    async afterDelete(ctx, rows) {
      for (const row of rows) {
        await removePlatform(ctx, row.name)
        removePackage(ctx, row.package)
      }
    },
  },
})

export type AppletRow = Row<typeof applet>

/** Applets that users may be offered. */
export const activeApplets = async (ctx: Context): Promise<AppletRow[]> =>
  (await ctx.rawDb.selectFrom(applet.table).selectAll().where('is_active', '=', true).orderBy('name').execute()).map(
    (row) => applet.decode(row) as AppletRow,
  )
