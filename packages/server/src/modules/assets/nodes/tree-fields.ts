import { boolean, type Field, json, text } from '../../../kernel/fields/index.ts'

const word = text({ max: 128, required: true })

/** Fields of a tree item, for OPTIONS. */
export const treeFields: Readonly<Record<string, Field>> = {
  id: word,
  name: word,
  title: word,
  pId: word,
  parentInfo: text({ max: 4096, required: true }),
  isParent: boolean({ default: false }),
  open: boolean({ default: false }),
  iconSkin: word,
  nocheck: boolean({ default: false }),
  checked: boolean({ default: false }),
  halfCheck: boolean({ default: false }),
  chkDisabled: boolean({ default: false }),
  meta: json({ required: true }),
}
