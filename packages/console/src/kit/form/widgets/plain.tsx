/** Widgets of every form: small and without requests. */
import { Check, ManyChoices, OneChoice, OnOff, ReadOnly } from './choices.tsx'
import { Secret } from './Secret.tsx'
import { IpGroup, TagInput } from './Tags.tsx'
import { FileText, NumberInput, Password, Phone, Text, TextArea } from './texts.tsx'

export const plainWidgets = {
  text: Text,
  textarea: TextArea,
  number: NumberInput,
  password: Password,
  secret: Secret,
  switch: OnOff,
  checkbox: Check,
  choice: OneChoice,
  choices: ManyChoices,
  tags: TagInput,
  'ip-group': IpGroup,
  phone: Phone,
  'file-text': FileText,
  'read-only': ReadOnly,
} as const
