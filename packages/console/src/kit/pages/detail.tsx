import type { ComponentType } from 'react'
import { DetailPage, type DetailSpec } from '../detail/DetailPage.tsx'

export const detailPage =
  (spec: DetailSpec): ComponentType =>
  () => <DetailPage spec={spec} />
