/** What a change of a platform means for the assets that use it, shown before it is saved. */
import { defineMessages } from '../messages.ts'

export const platformEffects = defineMessages({
  protocol_added: {
    en: '{count} {count|asset does|assets do} not have {subject}. “Sync protocols” on the page of the platform adds it.',
    zh: '{count} 个资产没有 {subject}，可在平台详情页点击“同步协议”添加',
    ja: '{subject} がない資産が {count} 件あります。プラットフォームのページの「プロトコルを同期」で追加できます。',
  },
  protocol_demanded: {
    en: '{count} {count|asset does|assets do} not have {subject}, which becomes required. “Sync protocols” on the page of the platform adds it; without it they cannot be edited.',
    zh: '{count} 个资产没有即将必需的 {subject}。请在平台详情页点击“同步协议”添加，否则无法编辑这些资产',
    ja: '必須になる {subject} がない資産が {count} 件あります。プラットフォームのページの「プロトコルを同期」で追加するまで、これらの資産は編集できません。',
  },
  protocol_removed: {
    en: '{count} {count|asset keeps|assets keep} {subject}, with default settings and visible to users. Remove it from the assets to end its use.',
    zh: '{count} 个资产仍保留 {subject}，使用默认设置并对用户可见；如需停用，请从资产中移除',
    ja: '{count} 件の資産には {subject} が既定の設定のまま残り、ユーザーに表示されます。使用を止めるには資産から削除してください。',
  },
  protocol_permissions: {
    en: '{count} {count|permission names|permissions name} {subject} and {count|stays|stay} unchanged.',
    zh: '{count} 条授权指定了 {subject}，这些授权保持不变',
    ja: '{subject} を指定しているアクセス権限が {count} 件あり、変更されません。',
  },
  protocol_port: {
    en: '{count} {count|asset keeps its|assets keep their} own port for {subject}. Only new assets get port {value}.',
    zh: '{count} 个资产保留原有的 {subject} 端口，只有新资产使用端口 {value}',
    ja: '{count} 件の資産では {subject} のポートがそのまま残り、新しい資産だけがポート {value} になります。',
  },
  protocol_setting: {
    en: '{count} {count|asset uses|assets use} the new settings of {subject} from the next connection.',
    zh: '{count} 个资产从下次连接起使用 {subject} 的新设置',
    ja: '{count} 件の資産で、次の接続から {subject} の新しい設定が使われます。',
  },
  protocol_hidden: {
    en: 'Users can no longer connect to {count} {count|asset|assets} by {subject}.',
    zh: '用户将无法通过 {subject} 连接 {count} 个资产',
    ja: 'ユーザーは {count} 件の資産に {subject} で接続できなくなります。',
  },
  protocol_shown: {
    en: 'Users can connect to {count} {count|asset|assets} by {subject}, if a permission allows it.',
    zh: '在授权允许时，用户可以通过 {subject} 连接 {count} 个资产',
    ja: 'アクセス権限があれば、ユーザーは {count} 件の資産に {subject} で接続できるようになります。',
  },
  domain_off: {
    en: '{count} {count|asset is|assets are} connected directly from now on, not through a gateway of {count|its|their} domain.',
    zh: '{count} 个资产将直接连接，不再经过网域中的网关',
    ja: '{count} 件の資産は、ドメインのゲートウェイを経由せず直接接続されるようになります。',
  },
  domain_on: {
    en: '{count} {count|asset with a domain is|assets with a domain are} connected through {count|its|their} gateways again.',
    zh: '{count} 个已设置网域的资产将重新通过网关连接',
    ja: 'ドメインが設定された {count} 件の資産は、再びゲートウェイ経由で接続されます。',
  },
  su_off: {
    en: '{count} {count|account signs|accounts sign} in directly from now on, without switching from another account.',
    zh: '{count} 个账号将直接登录，不再从其他账号切换',
    ja: '{count} 件のアカウントは、別のアカウントから切り替えず直接ログインするようになります。',
  },
  su_on: {
    en: '{count} {count|account switches|accounts switch} from another account from now on.',
    zh: '{count} 个账号将先使用其他账号登录再切换',
    ja: '{count} 件のアカウントは、別のアカウントでログインしてから切り替えるようになります。',
  },
  su_method: {
    en: '{count} {count|account switches|accounts switch} by “{value}” from the next connection.',
    zh: '{count} 个账号从下次连接起使用“{value}”切换',
    ja: '{count} 件のアカウントは、次の接続から「{value}」で切り替えます。',
  },
  charset: {
    en: 'Sessions on {count} {count|asset|assets} use {value} from the next connection.',
    zh: '{count} 个资产从下次连接起使用 {value} 编码',
    ja: '{count} 件の資産のセッションは、次の接続から {value} になります。',
  },
  type: {
    en: '{count} {count|asset gets|assets get} the type {value}.',
    zh: '{count} 个资产的类型改为 {value}',
    ja: '{count} 件の資産の種別が {value} になります。',
  },
  automation_off: {
    en: '{subject}: no longer available for {count} {count|asset|assets}.',
    zh: '{subject}：{count} 个资产将不再支持',
    ja: '{subject}：{count} 件の資産で利用できなくなります。',
  },
  automation_on: {
    en: '{subject}: available for {count} {count|asset|assets} from now on.',
    zh: '{subject}：{count} 个资产将可以使用',
    ja: '{subject}：{count} 件の資産で利用できるようになります。',
  },
  automation_changed: {
    en: '{subject}: {count} {count|asset uses|assets use} another method or other parameters from the next run.',
    zh: '{subject}：{count} 个资产从下次执行起使用新的方式或参数',
    ja: '{subject}：{count} 件の資産で、次回の実行から別の方法またはパラメーターが使われます。',
  },
  field_added: {
    en: '{count} {count|asset gets|assets get} the field “{subject}” without a value.',
    zh: '{count} 个资产将增加未填写的字段“{subject}”',
    ja: '{count} 件の資産に、値のない項目「{subject}」が追加されます。',
  },
  field_removed: {
    en: '{count} {count|asset has|assets have} a value for “{subject}”. It is hidden, and deleted when the asset is saved again.',
    zh: '{count} 个资产填写了“{subject}”，其值将被隐藏，并在下次保存资产时删除',
    ja: '「{subject}」に値がある資産が {count} 件あります。値は非表示になり、次に資産を保存したときに削除されます。',
  },
  field_type: {
    en: '{count} {count|asset has|assets have} a value for “{subject}”. It may not fit the new type, and is checked when the asset is saved again.',
    zh: '{count} 个资产填写了“{subject}”，其值可能与新类型不符，将在下次保存资产时检查',
    ja: '「{subject}」に値がある資産が {count} 件あります。新しい型に合わない可能性があり、次に資産を保存するときに確認されます。',
  },
})
