import type { ComponentType } from 'react'
import { ListPage } from '../list/ListPage.tsx'
import type { ListSpec } from '../list/spec.ts'

export const listPage =
  (spec: ListSpec): ComponentType =>
  () => <ListPage spec={spec} />
