import { ListPage } from '../list/ListPage.tsx'
import { askAhead } from '../list/queries.ts'
import type { ListSpec } from '../list/spec.ts'
import type { ScreenModule } from '../screen.ts'

export const listPage = (spec: ListSpec): ScreenModule => ({
  default: () => <ListPage spec={spec} />,
  ask: (client, address) => askAhead(client, spec, address),
})
