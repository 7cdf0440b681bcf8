/** Templates: commands and playbooks. */
import { EngineNotice } from '../../domain/ops/EngineNotice.tsx'
import { ListView } from '../../kit/list/ListView.tsx'
import type { ListSpec } from '../../kit/list/spec.ts'
import { PageHead, TabBar, useScreen, useTabs } from '../../kit/page.tsx'
import { t } from '../../kit/text.ts'
import { list as adhocs } from './adhocs.tsx'
import { list as playbooks } from './playbooks.tsx'

export default function Templates() {
  const screen = useScreen()
  const { visible, active, open } = useTabs([
    {
      key: 'Adhoc',
      title: 'templateAdhocs',
      permission: 'ops.view_adhoc',
      render: () => <ListView spec={adhocs as ListSpec} />,
    },
    {
      key: 'Playbook',
      title: 'templatePlaybooks',
      permission: 'ops.view_playbook',
      render: () => (
        <>
          <EngineNotice />
          <ListView spec={playbooks as ListSpec} />
        </>
      ),
    },
  ])
  return (
    <div className="page list-page">
      <PageHead title={t(screen.title)} />
      <TabBar tabs={visible} active={active?.key} onOpen={open} />
      <div className="tab-body" key={active?.key}>
        {active?.render()}
      </div>
    </div>
  )
}
