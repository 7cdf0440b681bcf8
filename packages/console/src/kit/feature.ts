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
  load: () => Promise<LoadedScreen>
}

/** A screen that stands: the route's name, its title, where it is fetched from. */
export const screen = (name: RouteName, title: TextKey, load: Feature['load']): Feature => ({
  ...routes[name],
  name,
  title,
  load,
})
