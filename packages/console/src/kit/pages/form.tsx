import type { LoadedScreen } from '../feature.ts'
import { FormPage } from '../form/FormPage.tsx'
import type { FormSpec } from '../form/spec.ts'

export const formPage = (spec: FormSpec): LoadedScreen => ({ default: () => <FormPage spec={spec} /> })
