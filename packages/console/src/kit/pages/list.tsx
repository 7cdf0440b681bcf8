import type { LoadedScreen } from '../feature.ts'
import { ListPage } from '../list/ListPage.tsx'
import { askAhead } from '../list/queries.ts'
import type { ListSpec } from '../list/spec.ts'

export const listPage = (spec: ListSpec): LoadedScreen => ({
  default: () => <ListPage spec={spec} />,
  ask: (client, address) => askAhead(client, spec, address),
})
