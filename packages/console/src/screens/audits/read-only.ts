import { viewOnly } from '../../kit/list/spec.ts'
/** Logs can be read, filtered and exported, but not changed. */
export const readOnly = {
  dateRange: true,
  ...viewOnly,
  link: () => undefined,
} as const
