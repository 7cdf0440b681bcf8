/** Dialogs of the quick job: opening and saving templates, saving a job, variables. */
import { pathOf } from '@castellan/contract/routes'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { call } from '../../kit/api/client.ts'
import { audience } from '../../kit/api/metadata.ts'
import { copyText } from '../../kit/copy.ts'
import { TextDialog } from '../../kit/dialog/TextDialog.tsx'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import { inside } from '../../kit/list/spec.ts'
import { t } from '../../kit/text.ts'
import type { WireRow } from '../../kit/wire.ts'
import { type Chosen, type Command, jobOf, jobsUrl } from './quick-command.ts'

export type QuickDialog = 'open' | 'template' | 'job' | 'variables'

type Template = WireRow<'/api/v1/ops/adhocs/'>
const templatesUrl = '/api/v1/ops/adhocs/'

interface Props {
  command: Command
  chosen: Chosen
  onOpen: (change: Partial<Command>) => void
  onClose: () => void
}

const OpenTemplate = ({ onOpen, onClose }: Props) => (
  <TextDialog title={t('templateOpen')} width={900} onClose={onClose}>
    <ListView<Template>
      spec={{
        ...inside,
        id: 'OpenTemplate',
        url: templatesUrl,
        resource: 'ops.adhoc',
        noun: 'template',
        row: { link: () => undefined },
        columns: {
          only: ['name', 'module', 'args', 'comment'],
          shown: ['name', 'module', 'args', 'comment'],
          cells: { args: { mono: true }, module: { width: 120 } },
        },
        actions: {
          ...inside.actions,
          row: [
            {
              key: 'select',
              label: () => t('templateUse'),
              primary: true,
              alwaysVisible: true,
              run: ({ args, module }: Template) => {
                // Some modules of templates, such as Oracle, are none of jobs.
                onOpen({ args: args ?? '', ...(module && { module: module.value }) })
                onClose()
              },
            },
          ],
        },
      }}
    />
  </TextDialog>
)

const SaveTemplate = ({ command, onClose }: Props) => (
  <FormDialog
    title={t('templateSave')}
    onClose={onClose}
    spec={{
      url: templatesUrl,
      noun: 'template',
      submit: { verb: 'save', clean: (body) => ({ ...body, module: command.module, args: command.args }) },
      groups: [{ key: 'basic', title: 'groupBasic', fields: ['name', 'comment'] }],
    }}
  />
)

const SaveJob = ({ command, chosen, onClose }: Props) => (
  <FormDialog
    title={t('jobSave')}
    onClose={onClose}
    spec={{
      url: jobsUrl,
      noun: 'job',
      initial: () => ({ is_periodic: false, crontab: '0 0 * * *' }),
      submit: { verb: 'save', clean: (body) => ({ ...jobOf(command, chosen), ...body }) },
      saved: { to: () => pathOf('JobList') },
      groups: [
        { key: 'basic', title: 'groupBasic', fields: ['name', 'comment'] },
        { key: 'plan', title: 'planSchedule', fields: ['is_periodic', 'crontab'] },
      ],
      fields: { crontab: { widget: 'cron', state: { enableWhen: { is_periodic: true } } } },
    }}
  />
)

function Variables({ onClose }: Props) {
  const read = useQuery({
    queryKey: ['job-variables', ...audience()],
    queryFn: () => call<Record<string, string>>('/api/v1/ops/variables/help/', { quiet: true }),
  })
  return (
    <TextDialog title={t('variables')} width={640} onClose={onClose}>
      <p>{t('variablesHelp')}</p>
      <dl className="variables">
        {Object.entries(read.data ?? {}).map(([name, meaning]) => (
          <div key={name}>
            <dt>
              <Button type="text" size="small" className="mono" onClick={() => void copyText(`{{ ${name} }}`)}>
                {`{{ ${name} }}`}
              </Button>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </TextDialog>
  )
}

const dialogs = { open: OpenTemplate, template: SaveTemplate, job: SaveJob, variables: Variables }

export default function QuickJobDialog({ which, ...props }: Props & { which: QuickDialog }) {
  const Dialog = dialogs[which]
  return <Dialog {...props} />
}
