import { useState } from 'react'
import type { WidgetProps } from '../../../kit/form/spec.ts'
import { useSuggestions } from '../../../kit/form/widgets/suggestions.ts'
import { TagInput } from '../../../kit/form/widgets/Tags.tsx'

/** Usernames, with those that the chosen assets have as suggestions. */
export default function Usernames(props: WidgetProps) {
  const [typed, setTyped] = useState<string>()
  const names = useSuggestions(typed, props.values)
  const choices = names.map((name) => ({ value: name, label: name }))
  return <TagInput {...props} info={{ ...props.info, choices }} onTyping={setTyped} />
}
