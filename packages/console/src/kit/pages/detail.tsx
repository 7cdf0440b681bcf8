import { DetailPage, type DetailSpec } from '../detail/DetailPage.tsx'
import type { LoadedScreen } from '../feature.ts'

export const detailPage = (spec: DetailSpec): LoadedScreen => ({ default: () => <DetailPage spec={spec} /> })
