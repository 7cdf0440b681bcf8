/** Labels of background tasks, by task name. */
import { defineMessages } from '../messages.ts'

export const tasksMessages = defineMessages({
  'assets.tasks.nodes_amount.check_node_assets_amount_task': {
    en: 'Check the number of assets below nodes',
    zh: '检查节点下资产数量',
    ja: 'ノード配下の資産数の確認',
  },
  'assets.tasks.ping_gateway.test_gateways_connectivity_task': {
    en: 'Test the connectivity of gateways',
    zh: '测试网关可连接性',
    ja: 'ゲートウェイの接続性テスト',
  },
  'assets.tasks.gather_facts.gather_assets_facts_task': {
    en: 'Collect facts of assets',
    zh: '收集资产信息',
    ja: '資産情報の収集',
  },
  'assets.tasks.ping.test_assets_connectivity_task': {
    en: 'Test the connectivity of assets',
    zh: '测试资产可连接性',
    ja: '資産の接続性テスト',
  },
  'accounts.tasks.verify_account.verify_accounts_connectivity_task': {
    en: 'Verify accounts',
    zh: '验证资产账号可连接性',
    ja: 'アカウントの検証',
  },
})
