import type { ComponentType } from 'react'
import { FormPage } from '../form/FormPage.tsx'
import type { FormSpec } from '../form/spec.ts'

export const formPage =
  (spec: FormSpec): ComponentType =>
  () => <FormPage spec={spec} />
