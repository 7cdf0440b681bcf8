import { DetailPage, type DetailSpec } from '../detail/DetailPage.tsx'
import type { ScreenModule } from '../screen.ts'

export const detailPage = (spec: DetailSpec): ScreenModule => ({ default: () => <DetailPage spec={spec} /> })
