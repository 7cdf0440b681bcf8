/** Fields that forms of jobs and of templates share. */

import { languageOf } from '../../domain/ops/modules.ts'
import type { FieldSpec, Values, WidgetProps } from '../../kit/form/spec.ts'
import Code from '../../kit/form/widgets/Code.tsx'

const choiceOf = (choice: unknown): unknown =>
  typeof choice === 'object' && choice !== null ? (choice as { value: unknown }).value : choice

/** A command, highlighted as code of the chosen module. */
export const commandField: FieldSpec = {
  component: function Command(props: WidgetProps) {
    const language = languageOf(choiceOf(props.values.module))
    return <Code {...props} field={{ ...props.field, with: { language } }} />
  },
}

export const isType = (type: string) => (values: Values) => choiceOf(values.type) !== type
