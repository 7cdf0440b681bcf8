import { FormPage } from '../form/FormPage.tsx'
import type { FormSpec } from '../form/spec.ts'
import type { ScreenModule } from '../screen.ts'

export const formPage = (spec: FormSpec): ScreenModule => ({ default: () => <FormPage spec={spec} /> })
