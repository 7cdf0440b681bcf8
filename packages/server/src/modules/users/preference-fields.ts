import {
  appletConnectionMethods,
  fileNameConflictResolutions,
  keyboardLayouts,
  rdpClientOptions,
  rdpResolutions,
  rdpSmartSizes,
} from '@castellan/contract/choices/users'
import type { Field } from '../../kernel/fields/field.ts'
import { boolean, computed, integer, multiChoice, rawChoice, text } from '../../kernel/fields/index.ts'

export type PreferenceFields = Readonly<Record<string, Readonly<Record<string, Field>>>>

const secretKey = () => text({ max: 1024, writeOnly: true, verbatim: true }) as Field

/** Preferences of users, by program and group. */
export const preferenceFields: Readonly<Record<string, PreferenceFields>> = {
  lina: {
    basic: {
      has_secret_key: computed('field', {}),
      secret_key: secretKey(),
      secret_key_again: secretKey(),
    },
  },
  luna: {
    basic: { is_async_asset_tree: boolean({ default: true }) },
    graphics: {
      rdp_resolution: rawChoice(rdpResolutions, { default: 'auto' }),
      keyboard_layout: rawChoice(keyboardLayouts, { default: 'en-us-qwerty' }),
      rdp_client_option: multiChoice(rdpClientOptions, { default: ['full_screen'] }),
      rdp_smart_size: rawChoice(rdpSmartSizes, { default: '0' }),
      applet_connection_method: rawChoice(appletConnectionMethods, { default: 'web' }),
    },
    command_line: {
      character_terminal_font_size: integer({ min: 1, max: 9999, default: 14 }),
      is_backspace_as_ctrl_h: boolean({ default: false }),
      is_right_click_quickly_paste: boolean({ default: false }),
    },
  },
  koko: {
    basic: {
      file_name_conflict_resolution: rawChoice(fileNameConflictResolutions, { default: 'replace' }),
      terminal_theme_name: text({ max: 128, default: 'Default' }),
    },
  },
}
