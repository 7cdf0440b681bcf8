import { viewOnly } from '../../kit/list/spec.ts'
/** A log is read, filtered and exported; nothing in it is changed. */
export const readOnly = {
  dateRange: true,
  ...viewOnly,
  link: () => undefined,
} as const
