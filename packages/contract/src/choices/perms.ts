/** Actions of an asset permission, a set of bits. */
import { defineMessages, type Message } from '../messages.ts'

export const permActionLabels = defineMessages({
  connect: { en: 'Connect (all protocols)', zh: '连接 (所有协议)', ja: '接続 (すべてのプロトコル)' },
  upload: { en: 'Upload (RDP, SFTP)', zh: '上传 (RDP, SFTP)', ja: 'アップロード (RDP, SFTP)' },
  download: { en: 'Download (RDP, SFTP)', zh: '下载 (RDP, SFTP)', ja: 'ダウンロード (RDP, SFTP)' },
  copy: { en: 'Copy (RDP, VNC)', zh: '复制 (RDP, VNC)', ja: 'コピー (RDP, VNC)' },
  paste: { en: 'Paste (RDP, VNC)', zh: '粘贴 (RDP, VNC)', ja: '貼り付け (RDP, VNC)' },
  delete: { en: 'Delete (SFTP)', zh: '删除 (SFTP)', ja: '削除 (SFTP)' },
  share: { en: 'Share (SSH)', zh: '分享 (SSH)', ja: '共有 (SSH)' },
})

export type PermAction = keyof typeof permActionLabels

/** Bits in wire order. */
export const permActionBits = {
  connect: 1,
  upload: 2,
  download: 4,
  copy: 8,
  paste: 16,
  delete: 32,
  share: 64,
} as const satisfies Record<PermAction, number>

/** All defined actions. Upgraded data may contain more bits; they are masked when read. */
export const allPermActions = 127

/** Labels of the bits, in wire order. */
export const permActions = (Object.keys(permActionBits) as PermAction[]).map((value) => ({
  value,
  bit: permActionBits[value],
  label: permActionLabels[value] satisfies Message,
}))

export const permActionGroups = defineMessages({
  all: { en: 'All', zh: '全部', ja: 'すべて' },
  transfer: { en: 'Transfer', zh: '文件传输', ja: 'ファイル転送' },
  clipboard: { en: 'Clipboard', zh: '剪贴板', ja: 'クリップボード' },
})

/** Layout of the action checkboxes: a leaf by its value, a group with its leaves. */
export const permActionTree = [
  'connect',
  { label: permActionGroups.transfer, children: ['upload', 'download', 'delete'] },
  { label: permActionGroups.clipboard, children: ['copy', 'paste'] },
  'share',
] as const satisfies readonly (PermAction | { label: Message; children: readonly PermAction[] })[]
