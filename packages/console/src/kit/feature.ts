/** A screen as the shell sees it: where, for whom, in which menu. Menu, guards and titles are read from it. */
import type { ComponentType } from 'react'
import type { TextKey } from './text.ts'

export type View = 'console' | 'audit' | 'workbench' | 'tickets' | 'settings' | 'profile'

export interface Feature {
  /** Path with `:id` parameters, below the hash. */
  path: string
  /** Route name of the contract (`UserList`); unique. */
  name: string
  title: TextKey
  view: View
  permission?: string | readonly string[]
  licence?: boolean
  /** In the side menu, under this group; '' is the top level. Absent: reachable, not listed. */
  menu?: string
  /** Path whose menu entry is lit; the nearest listed parent otherwise. */
  lit?: string
  /** Works in all organisations (`root`) or the system's; the selector is then locked. */
  organisation?: 'root' | 'system'
  /** The organisation selector is not shown. */
  hidesOrganisation?: boolean
  /** Public setting that must be true. */
  setting?: string
  load: () => Promise<{ default: ComponentType }>
}
