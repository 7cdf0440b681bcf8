import type { Message } from '@castellan/contract/messages'
import { own } from '../../../kernel/fields/safe-lookup.ts'
import { aliyun } from './aliyun.ts'
import { awsChina, awsInternational } from './aws.ts'
import { azureChina, azureInternational } from './azure.ts'
import { baidu } from './baidu.ts'
import { google } from './google.ts'
import { huawei } from './huawei.ts'
import { jd } from './jd.ts'
import { kingsoft } from './kingsoft.ts'
import { kubernetes } from './kubernetes.ts'
import { lan } from './lan.ts'
import { nutanix } from './nutanix.ts'
import { openstack } from './openstack.ts'
import type { Provider } from './provider.ts'
import { proxmox } from './proxmox.ts'
import { qingcloud } from './qingcloud.ts'
import { tencent, tencentLighthouse } from './tencent.ts'
import { ucloud } from './ucloud.ts'
import { vsphere } from './vsphere.ts'

/** Every provider, in the order in which they are offered. */
export const providers: readonly Provider[] = [
  awsInternational,
  awsChina,
  azureInternational,
  azureChina,
  google,
  aliyun,
  tencent,
  tencentLighthouse,
  huawei,
  baidu,
  jd,
  kingsoft,
  ucloud,
  vsphere,
  openstack,
  nutanix,
  qingcloud,
  proxmox,
  kubernetes,
  lan,
]

const byName: Readonly<Record<string, Provider>> = Object.fromEntries(providers.map((one) => [one.name, one]))

export const providerNamed = (name: unknown): Provider | undefined =>
  typeof name === 'string' ? own(byName, name) : undefined

/** Labels of the field `provider`. */
export const providerLabels: Readonly<Record<string, Message>> = Object.fromEntries(
  providers.map(({ name, label }) => [name, label]),
)
