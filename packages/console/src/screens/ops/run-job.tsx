/** Starting a job: its parameters are asked for first. */
import { useState } from 'react'
import { call } from '../../kit/api/client.ts'
import type { Fields } from '../../kit/api/metadata.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { FieldSpec } from '../../kit/form/spec.ts'
import type { Row } from '../../kit/row.ts'
import { t } from '../../kit/text.ts'
import { executionsUrl } from './quick-command.ts'

interface Definition {
  label?: string
  type?: string
  default?: string
  required?: boolean
  options?: readonly { label: string; value: string }[]
}
type Definitions = Readonly<Record<string, Definition>>

/** The parameters of a job, which are stored as an object or as its JSON text. None if it does not ask for them. */
export function parametersOf(job: Row): Definitions {
  if (job.use_parameter_define !== true) return {}
  const written = job.parameters_define
  try {
    const read: unknown = typeof written === 'string' ? JSON.parse(written) : written
    return typeof read === 'object' && read !== null ? (read as Definitions) : {}
  } catch {
    return {}
  }
}

/** Starts a job. Returns the id of the execution. */
export async function startJob(id: string, parameters?: object): Promise<string> {
  const body = { job: id, ...(parameters && { parameters: JSON.stringify(parameters) }) }
  return (await call<{ task_id: string }>(executionsUrl, { method: 'POST', body })).task_id
}

const infoOf = ({ type, label, required, options, default: usual }: Definition) => ({
  type: type === 'select' ? 'choice' : 'string',
  label,
  required: required === true,
  max_length: 4096,
  ...(usual !== undefined && { default: usual }),
  ...(options && { choices: options.map((option) => ({ label: option.label, value: option.value })) }),
})

const objects = (url: string): FieldSpec => ({ source: { url, plain: true }, choices: { single: true } })

const specOf = ({ type }: Definition): FieldSpec => {
  if (type === 'secret') return { widget: 'password' }
  if (type === 'asset') return objects('/api/v1/perms/users/self/assets/')
  if (type === 'node') return objects('/api/v1/perms/users/self/nodes/')
  return {}
}

/** Asks for the parameters of a job and starts it. */
export function ParameterDialog({
  job,
  onStarted,
  onClose,
}: {
  job: Row
  onStarted: (id: string) => void
  onClose: () => void
}) {
  const [definitions] = useState(() => parametersOf(job))
  const names = Object.keys(definitions)
  const fields: Fields = Object.fromEntries(names.map((name) => [name, infoOf(definitions[name] ?? {})]))
  return (
    <FormDialog
      title={t('jobParameters')}
      onClose={onClose}
      spec={{
        url: `${executionsUrl}?job=${job.id}`,
        noun: 'job',
        submit: { verb: 'run' },
        local: {
          fields,
          save: async (values) => {
            const id = await startJob(job.id, values)
            onStarted(id)
            return { id }
          },
        },
        groups: [{ key: 'basic', title: 'groupBasic', fields: names }],
        fields: Object.fromEntries(names.map((name) => [name, specOf(definitions[name] ?? {})])),
      }}
    />
  )
}
