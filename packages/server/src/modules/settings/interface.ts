import { json } from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

/** How the product shows itself. Empty addresses mean: the pictures every page has built in. */
export interface Interface {
  logo_logout: string
  logo_index: string
  login_image: string
  favicon: string
  login_title: string
  theme: string
  theme_info: { name?: string; colors?: Record<string, string> }
}

export const defaultInterface: Interface = {
  logo_logout: '',
  logo_index: '',
  login_image: '',
  favicon: '',
  login_title: 'Castellan',
  theme: 'classic_green',
  theme_info: {},
}

/** What differs from the default. */
export const appearance = defineSettings({
  changedBy: 'product',
  fields: { INTERFACE: json<Partial<Interface>>({ default: {} }) },
})
