/** A screen as the shell sees it: its row of the route table, its title, the module that draws it. */
import { type RouteFacts, type RouteName, routes } from '@castellan/contract/routes'
import type { ComponentType } from 'react'
import type { TextKey } from './text.ts'

export interface Feature extends RouteFacts {
  name: RouteName
  title: TextKey
  load: () => Promise<{ default: ComponentType }>
}

/** A screen that stands: the route's name, its title, where it is fetched from. */
export const screen = (name: RouteName, title: TextKey, load: Feature['load']): Feature => ({
  ...routes[name],
  name,
  title,
  load,
})
