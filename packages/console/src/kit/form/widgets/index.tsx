/** Widgets by name. The plain ones come with the form, the large ones when a form has such a field. */
import { type ComponentType, lazy } from 'react'
import type { WidgetName, WidgetProps } from '../spec.ts'
import { Check, ManyChoices, OneChoice, OnOff, ReadOnly } from './choices.tsx'
import { Remote } from './Remote.tsx'
import { Secret } from './Secret.tsx'
import { FileText, NumberInput, Password, Phone, Tags, Text, TextArea } from './texts.tsx'

export const widgets: Readonly<Record<WidgetName, ComponentType<WidgetProps>>> = {
  text: Text,
  textarea: TextArea,
  number: NumberInput,
  password: Password,
  secret: Secret,
  switch: OnOff,
  checkbox: Check,
  choice: OneChoice,
  choices: ManyChoices,
  remote: Remote,
  tags: Tags,
  phone: Phone,
  'file-text': FileText,
  'read-only': ReadOnly,
  tree: lazy(() => import('./TreeChoices.tsx')),
  datetime: lazy(() => import('./DateTime.tsx')),
  json: lazy(() => import('./Json.tsx')),
  rule: lazy(() => import('./Rule.tsx')),
  'account-names': lazy(() => import('./AccountNames.tsx')),
  'all-or-some': lazy(() => import('./AllOrSome.tsx')),
}
