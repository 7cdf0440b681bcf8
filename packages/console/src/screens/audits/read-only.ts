/** A log is read, filtered and exported; nothing in it is changed. */
export const readOnly = {
  dated: true,
  selectable: false,
  update: false,
  clone: false,
  remove: false,
  importing: false,
  link: () => undefined,
} as const
