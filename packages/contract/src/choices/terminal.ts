/** Choices of sessions, components, storages and remote applications. */
import { defineMessages } from '../messages.ts'

export const componentTypes = defineMessages({
  koko: { en: 'koko', zh: 'koko', ja: 'koko' },
  guacamole: { en: 'guacamole', zh: 'guacamole', ja: 'guacamole' },
  omnidb: { en: 'omnidb', zh: 'omnidb', ja: 'omnidb' },
  xrdp: { en: 'xrdp', zh: 'xrdp', ja: 'xrdp' },
  lion: { en: 'lion', zh: 'lion', ja: 'lion' },
  core: { en: 'core', zh: 'core', ja: 'core' },
  celery: { en: 'celery', zh: 'celery', ja: 'celery' },
  magnus: { en: 'magnus', zh: 'magnus', ja: 'magnus' },
  razor: { en: 'razor', zh: 'razor', ja: 'razor' },
  tinker: { en: 'tinker', zh: 'tinker', ja: 'tinker' },
  video_worker: { en: 'video_worker', zh: 'video_worker', ja: 'video_worker' },
  chen: { en: 'chen', zh: 'chen', ja: 'chen' },
  kael: { en: 'kael', zh: 'kael', ja: 'kael' },
})

export const componentLoads = defineMessages({
  critical: { en: 'Critical', zh: '严重', ja: '深刻' },
  high: { en: 'High', zh: '较高', ja: '高い' },
  normal: { en: 'Normal', zh: '正常', ja: '正常' },
  offline: { en: 'Offline', zh: '离线', ja: 'オフライン' },
})

/** Periods of a component's graphs. */
export const loadPeriods = defineMessages({
  hour: { en: 'Last hour', zh: '最近 1 小时', ja: '過去 1 時間' },
  day: { en: '24 hours', zh: '24 小时', ja: '24 時間' },
  week: { en: '7 days', zh: '7 天', ja: '7 日間' },
  month: { en: '30 days', zh: '30 天', ja: '30 日間' },
})

export const sessionTypes = defineMessages({
  normal: { en: 'Normal', zh: '普通', ja: '通常' },
  tunnel: { en: 'Tunnel', zh: '隧道', ja: 'トンネル' },
  command: { en: 'Command', zh: '命令', ja: 'コマンド' },
  sftp: { en: 'SFTP', zh: 'SFTP', ja: 'SFTP' },
})

export const sessionOrigins = defineMessages({
  ST: { en: 'SSH terminal', zh: 'SSH 终端', ja: 'SSH ターミナル' },
  RT: { en: 'RDP terminal', zh: 'RDP 终端', ja: 'RDP ターミナル' },
  WT: { en: 'Web terminal', zh: 'Web 终端', ja: 'Web ターミナル' },
  DT: { en: 'DB terminal', zh: 'DB 终端', ja: 'DB ターミナル' },
})

export const sessionErrorReasons = defineMessages({
  connect_failed: { en: 'Connection failed', zh: '连接失败', ja: '接続に失敗' },
  replay_create_failed: { en: 'Recording could not be created', zh: '录像创建失败', ja: '録画の作成に失敗' },
  replay_upload_failed: { en: 'Recording could not be uploaded', zh: '录像上传失败', ja: '録画のアップロードに失敗' },
  replay_convert_failed: { en: 'Recording could not be converted', zh: '录像转换失败', ja: '録画の変換に失敗' },
})

export const sharingPermissions = defineMessages({
  readonly: { en: 'Read only', zh: '只读', ja: '読み取り専用' },
  writable: { en: 'Writable', zh: '读写', ja: '書き込み可' },
})

export const sessionTaskNames = defineMessages({
  kill_session: { en: 'Terminate session', zh: '终断会话', ja: 'セッションの切断' },
  lock_session: { en: 'Pause session', zh: '锁定会话', ja: 'セッションのロック' },
  unlock_session: { en: 'Resume session', zh: '解锁会话', ja: 'セッションのロック解除' },
})

/** Results of command rules. */
export const riskLevels = defineMessages({
  0: { en: 'Accepted', zh: '允许', ja: '許可' },
  4: { en: 'Warning', zh: '告警', ja: '警告' },
  5: { en: 'Rejected', zh: '拒绝', ja: '拒否' },
  6: { en: 'Review rejected', zh: '审批拒绝', ja: '審査で拒否' },
  7: { en: 'Review accepted', zh: '审批接受', ja: '審査で許可' },
  8: { en: 'Review canceled', zh: '审批取消', ja: '審査の取り消し' },
})

export const commandStorageTypes = defineMessages({
  null: { en: 'None', zh: '无', ja: 'なし' },
  server: { en: 'Server', zh: '服务器', ja: 'サーバー' },
  es: { en: 'Elasticsearch', zh: 'Elasticsearch', ja: 'Elasticsearch' },
})

export const replayStorageTypes = defineMessages({
  null: { en: 'None', zh: '无', ja: 'なし' },
  server: { en: 'Server', zh: '服务器', ja: 'サーバー' },
  s3: { en: 'S3', zh: 'S3', ja: 'S3' },
  ceph: { en: 'Ceph', zh: 'Ceph', ja: 'Ceph' },
  swift: { en: 'Swift', zh: 'Swift', ja: 'Swift' },
  oss: { en: 'OSS', zh: 'OSS', ja: 'OSS' },
  azure: { en: 'Azure', zh: 'Azure', ja: 'Azure' },
  obs: { en: 'OBS', zh: 'OBS', ja: 'OBS' },
  cos: { en: 'COS', zh: 'COS', ja: 'COS' },
  sftp: { en: 'SFTP', zh: 'SFTP', ja: 'SFTP' },
})

export const swiftProtocols = defineMessages({
  http: { en: 'HTTP', zh: 'HTTP', ja: 'HTTP' },
  https: { en: 'HTTPS', zh: 'HTTPS', ja: 'HTTPS' },
})

export const azureEndpointSuffixes = defineMessages({
  'core.chinacloudapi.cn': { en: 'core.chinacloudapi.cn', zh: 'core.chinacloudapi.cn', ja: 'core.chinacloudapi.cn' },
  'core.windows.net': { en: 'core.windows.net', zh: 'core.windows.net', ja: 'core.windows.net' },
})

export const appletTypes = defineMessages({
  general: { en: 'General', zh: '通用', ja: '一般' },
  web: { en: 'Web', zh: 'Web', ja: 'Web' },
})

export const appletEditions = defineMessages({
  community: { en: 'Community edition', zh: '社区版', ja: 'コミュニティ版' },
  enterprise: { en: 'Enterprise edition', zh: '企业版', ja: 'エンタープライズ版' },
})

export const appletPublicationStatuses = defineMessages({
  pending: { en: 'Pending', zh: '待处理', ja: '待機中' },
  success: { en: 'Success', zh: '成功', ja: '成功' },
  failed: { en: 'Failed', zh: '失败', ja: '失敗' },
  mismatch: { en: 'Does not match', zh: '未匹配', ja: '不一致' },
})

export const deploymentStatuses = defineMessages({
  ready: { en: 'Ready', zh: '准备', ja: '準備完了' },
  pending: { en: 'Pending', zh: '待处理', ja: '待機中' },
  running: { en: 'Running', zh: '运行中', ja: '実行中' },
  success: { en: 'Success', zh: '成功', ja: '成功' },
  failed: { en: 'Failed', zh: '失败', ja: '失敗' },
  error: { en: 'Error', zh: '错误', ja: 'エラー' },
  canceled: { en: 'Canceled', zh: '取消', ja: 'キャンセル' },
})

/** Counting units of a remote desktop service license. */
export const rdsLicensingModes = defineMessages({
  2: { en: 'Per device', zh: '按设备', ja: 'デバイスごと' },
  4: { en: 'Per session', zh: '按会话', ja: 'セッションごと' },
})

export const rdsSingleSession = defineMessages({
  0: { en: 'Disabled', zh: '禁用', ja: '無効' },
  1: { en: 'Enabled', zh: '启用', ja: '有効' },
})
