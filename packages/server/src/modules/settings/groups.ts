/** Settings that several modules read, and those of features that no module reads yet. */
import { durationUnits } from '@castellan/contract/choices/settings'
import { boolean, type Field, integer, nullable, nullableText, rawChoice, url } from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'
import { announcementField } from './announcement.ts'

/** The start of every link we send: a slash too many would break each of them. */
const withoutSlash = (field: Field<string, 'own'>): Field<string, 'own'> => ({
  ...field,
  parse: (input, ctx) => String(field.parse?.(input, ctx)).replace(/^\/+|\/+$/g, ''),
})

export const basic = defineSettings({
  category: 'basic',
  permission: 'settings.view_setting',
  changing: 'settings.change_basic',
  fields: {
    SITE_URL: withoutSlash(url({ default: 'http://127.0.0.1', required: true })),
    USER_GUIDE_URL: nullable(url({ default: '' })),
    GLOBAL_ORG_DISPLAY_NAME: nullableText({ default: '', max: 1024 }),
    HELP_DOCUMENT_URL: nullable(url({ default: '' })),
    HELP_SUPPORT_URL: nullable(url({ default: '' })),
  },
  public: ['HELP_DOCUMENT_URL', 'HELP_SUPPORT_URL'],
  guarded: { by: 'settings.change_delivery', names: ['SITE_URL'] },
})

export const announcement = defineSettings({
  category: 'announcement',
  permission: 'settings.change_announcement',
  fields: {
    ANNOUNCEMENT_ENABLED: boolean({ default: true }),
    ANNOUNCEMENT: announcementField,
  },
  public: ['ANNOUNCEMENT_ENABLED', 'ANNOUNCEMENT'],
  proposed: ['ANNOUNCEMENT_ENABLED'],
})

export const tickets = defineSettings({
  category: 'ticket',
  permission: 'settings.change_ticket',
  fields: {
    TICKETS_ENABLED: boolean({ default: true }),
    TICKET_AUTHORIZE_DEFAULT_TIME: integer({ default: 7, min: 1, max: 999_999 }),
    TICKET_AUTHORIZE_DEFAULT_TIME_UNIT: rawChoice(durationUnits, { default: 'day', blank: true }),
  },
  public: ['TICKETS_ENABLED', 'TICKET_AUTHORIZE_DEFAULT_TIME', 'TICKET_AUTHORIZE_DEFAULT_TIME_UNIT'],
  proposed: ['TICKETS_ENABLED'],
})

export const validity = defineSettings({
  changedBy: 'environment',
  fields: {
    DEFAULT_EXPIRED_YEARS: integer({ default: 70 }),
  },
})
