/** Parameters of the methods that change assets, in a dialog of their own. */
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { Settings2 } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { FieldSpec, WidgetProps } from '../../kit/form/spec.ts'
import { at, type Row } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { type MethodWithParams, methodsMetadata, type ParamsOfMethods, withParams } from './method-params.ts'

/** Asks for the parameters of some methods, with a heading for each if there are several. */
export function ParamsDialog({
  methods,
  value,
  locked,
  verb = 'apply',
  onClose,
  onSaved,
}: {
  methods: readonly MethodWithParams[]
  value?: ParamsOfMethods
  /** Shows the parameters without changing them. */
  locked?: boolean
  verb?: 'apply' | 'accountPushVerb'
  onClose: () => void
  onSaved: (params: ParamsOfMethods) => unknown
}) {
  const fields = Object.fromEntries(
    methods.flatMap(({ id, info }) =>
      Object.entries(info.children ?? {}).map(([name, { type }]): [string, FieldSpec] => [
        `${id}.${name}`,
        { ...(type === 'list' ? { widget: 'lines' } : { layout: { mono: true } }), state: { disabled: locked } },
      ]),
    ),
  )
  const [only] = methods.length === 1 ? methods : []
  return (
    <FormDialog
      title={only ? t('settingsOf', { name: only.info.label ?? only.id }) : t('methodParams')}
      spec={{
        url: `params ${methods.map(({ id }) => id).join()}`,
        noun: 'methodParams',
        submit: { verb },
        initial: () => ({ ...value }),
        groups: [{ key: 'params', title: 'methodParams', fields: methods.map(({ id }) => id) }],
        fields,
        local: {
          fields: Object.fromEntries(methods.map(({ id, info }) => [id, info])),
          save: (body) => ({ ...body, id: 'params' }) as Row,
        },
      }}
      onClose={onClose}
      onSaved={({ id: _id, ...params }) => (locked ? undefined : onSaved({ ...value, ...(params as ParamsOfMethods) }))}
    />
  )
}

/** A form field with the parameters of `methods`, which may be several. */
export function ParamsField({
  id,
  methods,
  none,
  ...widget
}: Pick<WidgetProps, 'id' | 'value' | 'onChange' | 'disabled'> & {
  methods: readonly string[]
  /** Why there is nothing to set, if not because the methods have no parameters. */
  none?: string
}) {
  const [open, setOpen] = useState(false)
  const metadata = useQuery(methodsMetadata())
  const described = withParams(methods, metadata.data)
  const nothing = described.length === 0
  return (
    <>
      <Button
        id={id}
        icon={<Settings2 size={14} />}
        disabled={nothing}
        title={nothing ? (none ?? t('methodWithoutParams')) : undefined}
        onClick={() => setOpen(true)}
      >
        {t('methodParams')}
      </Button>
      {open && (
        <ParamsDialog
          methods={described}
          value={(widget.value ?? {}) as ParamsOfMethods}
          locked={widget.disabled}
          onClose={() => setOpen(false)}
          onSaved={widget.onChange}
        />
      )}
    </>
  )
}

/** Parameters of the method that another field of the form has chosen, called `with.chosenBy`, or of `with.method`. */
export function MethodParams({ field, values, ...widget }: WidgetProps) {
  const { chosenBy, method } = field.with ?? {}
  const id = chosenBy ? at(values, String(chosenBy)) : method
  return <ParamsField {...widget} methods={id ? [String(id)] : []} />
}
