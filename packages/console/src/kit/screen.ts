/** A screen as the shell sees it: route, title and module. */
import { type RouteFacts, type RouteName, routes } from '@castellan/contract/routes'
import type { QueryClient } from '@tanstack/react-query'
import type { FunctionComponent } from 'react'
import type { TextKey } from './text.ts'

/** Exports of a screen module. */
export interface ScreenModule {
  default: FunctionComponent
  /** Starts the screen's first requests while the shell is still rendering. */
  ask?: (client: QueryClient, address: URLSearchParams) => void
}

export interface Screen extends RouteFacts {
  name: RouteName
  title: TextKey
  /** Absent for external pages. */
  load?: () => Promise<ScreenModule>
}

/** Whether objects of a screen are created and changed in the root organization too. */
export const isForAnyOrganization = ({ organization, shared }: RouteFacts): boolean =>
  organization !== undefined || shared === true

/** A screen of this application: route name, title, module import. */
export const screen = (name: RouteName, title: TextKey, load: NonNullable<Screen['load']>): Screen => ({
  ...routes[name],
  name,
  title,
  load,
})

/** A menu entry that opens another page of the product. */
export const link = (name: RouteName, title: TextKey): Screen => ({ ...routes[name], name, title })

/** Opens an external page in a new tab; the timestamp prevents a cached copy. */
export const openExternal = (address: string): unknown =>
  window.open(`${address}?_=${Date.now()}`, '_blank', 'noopener')
