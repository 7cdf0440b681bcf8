import { viewOnly } from '../../kit/list/spec.ts'
/** Logs can be read, filtered and exported, but not changed. */
export const readOnly = {
  ...viewOnly,
  search: { dateRange: true },
  row: { link: () => undefined },
} as const
