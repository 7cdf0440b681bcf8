/** The declaration of a settings page: tabs, each with the form of one category. Fields come from OPTIONS. */
import type { ComponentType, ReactNode } from 'react'
import type { FieldSpecs, FormButtonsProps, GroupSpec } from '../../kit/form/spec.ts'
import type { Tab } from '../../kit/page.tsx'

/** The form of a category of settings. */
export interface CategoryForm {
  category: string
  groups: readonly GroupSpec[]
  fields?: FieldSpecs
  /** The permission to change them, where that of the page only reads. */
  changedBy?: string
  /** `PUT` where the contract sends the whole category. */
  method?: 'PUT' | 'PATCH'
  /** Derives further values of the body. */
  clean?: (body: Record<string, unknown>) => Record<string, unknown>
  buttons?: ComponentType<FormButtonsProps>
}

export interface CategoryTab extends Omit<Tab, 'render'> {
  form: CategoryForm
  /** Below the form. */
  below?: () => ReactNode
}

export const settingUrl = (category: string): string => `/api/v1/settings/setting/?category=${category}`

/** A stored secret is not readable: an empty field keeps it. */
export const secretField = { widget: 'password', sending: { secret: true } } as const
