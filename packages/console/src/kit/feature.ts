/** A screen as the shell sees it: its row of the route table, its title, the module that draws it. */
import { type RouteFacts, type RouteName, routes } from '@castellan/contract/routes'
import type { QueryClient } from '@tanstack/react-query'
import type { FunctionComponent } from 'react'
import type { TextKey } from './text.ts'

/** What the module of a screen holds. */
export interface LoadedScreen {
  default: FunctionComponent
  /** Asks the server what the screen will ask at once, while the shell around it is still being drawn. */
  ask?: (client: QueryClient, address: URLSearchParams) => void
}

export interface Feature extends RouteFacts {
  name: RouteName
  title: TextKey
  /** Absent for external pages. */
  load?: () => Promise<LoadedScreen>
}

/** A screen that stands: the route's name, its title, where it is fetched from. */
export const screen = (name: RouteName, title: TextKey, load: NonNullable<Feature['load']>): Feature => ({
  ...routes[name],
  name,
  title,
  load,
})

/** A menu entry that opens another page of the product. */
export const link = (name: RouteName, title: TextKey): Feature => ({ ...routes[name], name, title })

/** Opens an external page in a new tab; the timestamp prevents a cached copy. */
export const openExternal = (address: string): unknown =>
  window.open(`${address}?_=${Date.now()}`, '_blank', 'noopener')
