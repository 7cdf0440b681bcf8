/** Fields of a platform that its form and the tabs of its page share. */
import { suMethods } from '@castellan/contract/choices/assets'
import { MethodParams } from '../../domain/assets/MethodParams.tsx'
import type { FieldSpec, FieldSpecs, Values } from '../../kit/form/spec.ts'
import { at } from '../../kit/row.ts'
import { language } from '../../kit/text.ts'
import type { WireForm } from '../../kit/wire.ts'
import { automationItems, type Constraints, methodsOf } from './platform-constraints.ts'
import type { platformsUrl } from './platform-effects.tsx'

export type PlatformForm = WireForm<typeof platformsUrl, 'category_type'>

const isOff = (values: Values, name: string): boolean => at(values, `automation.${name}`) !== true

/** Switches, methods and parameters of the automations; what the type does not support cannot be switched on. */
export function automationFields(constraints: Constraints, locked = false): FieldSpecs<PlatformForm> {
  const { automation } = constraints
  const specs: Record<string, FieldSpec> = {
    'automation.ansible_enabled': { state: { disabled: locked || automation.ansible_enabled !== true } },
    'automation.ansible_config': {
      widget: 'json',
      state: { disabled: locked, hidden: (values) => isOff(values, 'ansible_enabled') },
    },
  }
  for (const item of automationItems) {
    const methods = methodsOf(constraints, item)
    const hidden = (values: Values) => isOff(values, 'ansible_enabled') || isOff(values, `${item}_enabled`)
    specs[`automation.${item}_enabled`] = {
      state: {
        disabled: locked || automation[`${item}_enabled`] !== true,
        hidden: (values) => isOff(values, 'ansible_enabled'),
      },
    }
    specs[`automation.${item}_method`] = {
      widget: 'choice',
      label: 'method',
      layout: { half: true },
      choices: { options: methods.map(({ id, name }) => ({ value: id, label: name })) },
      state: { disabled: locked, hidden },
    }
    specs[`automation.${item}_params`] = {
      component: MethodParams,
      label: 'methodParams',
      layout: { half: true },
      with: { chosenBy: `automation.${item}_method` },
      state: { disabled: locked, hidden },
    }
  }
  return specs
}

/** Names of the automation's fields, grouped by what they are about. */
export const automationNames: readonly `automation.${string}`[] = [
  'automation.ansible_enabled',
  'automation.ansible_config',
  ...automationItems.flatMap((item) =>
    (['enabled', 'method', 'params'] as const).map((part) => `automation.${item}_${part}` as const),
  ),
]

/** Ways to switch accounts that a type supports. */
export const suMethodChoices = ({ su_methods = [] }: Constraints) =>
  su_methods.map((value) => ({
    value,
    label: suMethods[value as keyof typeof suMethods]?.[language] ?? value,
  }))
