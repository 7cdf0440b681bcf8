/** Tests one gateway on a port that the user may change. */
import { call } from '../../kit/api/client.ts'
import type { Fields } from '../../kit/api/metadata.ts'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import type { FormSpec } from '../../kit/form/spec.ts'
import { type Row, wordOf } from '../../kit/row.ts'
import { openTaskLog } from '../../kit/task-log.ts'
import { t } from '../../kit/text.ts'

/** The port at which a gateway is signed in to. */
export const sshPortOf = (gateway: Row): number | undefined =>
  ((gateway.protocols ?? []) as { name: string; port: number }[]).find(({ name }) => name === 'ssh')?.port

const fields = (): Fields => ({
  port: { type: 'integer', label: t('gatewayPort'), required: true, min_value: 1, max_value: 65_535 },
})

function formOf(gateway: Row, onEnd: () => void): FormSpec<Row & { port: number }> {
  const url = `/api/v1/assets/gateways/${gateway.id}/test-connective/`
  return {
    url,
    noun: 'gateway',
    initial: () => ({ port: sshPortOf(gateway) }),
    groups: [{ key: 'basic', title: 'groupBasic', help: 'gatewayTestHelp', fields: ['port'] }],
    submit: { verb: 'test' },
    local: {
      fields: fields(),
      save: async ({ port }) => {
        const { task } = await call<{ task: string }>(url, { method: 'POST', body: { port } })
        openTaskLog(task, { onEnd })
        return gateway
      },
    },
  }
}

export const GatewayTest = ({ gateway, onEnd, onClose }: { gateway: Row; onEnd: () => void; onClose: () => void }) => (
  <FormDialog
    title={t('gatewayTest', { name: wordOf(gateway.name) })}
    spec={formOf(gateway, onEnd)}
    onClose={onClose}
  />
)
