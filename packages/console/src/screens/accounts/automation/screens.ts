import type { RouteName } from '@castellan/contract/routes'
import type { Fact } from '../../../kit/detail/Facts.tsx'
import type { FieldSpec, FormContext, GroupSpec, Values } from '../../../kit/form/spec.ts'
import type { TextKey } from '../../../kit/text.ts'

/** The screens of one automation: everything in which it differs from the others. */
export interface AutomationScreens {
  /** The collection of plans, and the model of their permissions. */
  url: string
  resource: string
  /** Where their assets and nodes are added and removed. */
  targetsUrl: string
  /** The collection of executions, and the model of their permissions. */
  executionsUrl: string
  executionResource: string
  /** The page with the lists, and its tabs. */
  list: RouteName
  plansTab: string
  executionsTab: string
  create: RouteName
  update: RouteName
  detail: RouteName
  execution: RouteName
  noun: TextKey
  createLabel: TextKey
  empty: TextKey
  /** Columns of the plans after their name. */
  columns: readonly string[]
  /** The column of executions that names their plan, and those after it. */
  planColumn: string
  executionColumns: readonly string[]
  /** Plans can be cloned, and several deleted at once. */
  manyPlans?: true
  /** Facts of a plan after its name and status. */
  facts?: readonly (string | Fact)[]
  /** The form: what it does, before the schedule, and the rest after it. */
  formGroups: { first(context: FormContext): readonly GroupSpec[]; last: readonly GroupSpec[] }
  formFields?: Readonly<Record<string, FieldSpec>>
  initial?: () => Values
  clean?(body: Record<string, unknown>, values: Values): Promise<Record<string, unknown>>
  /** What an execution did to each account, if it keeps that. */
  records?: RecordScreens
}

/** Records of an automation that sets secrets. */
export interface RecordScreens {
  url: string
  /** To read them, and to do one again. */
  view: string
  retry: string
}
