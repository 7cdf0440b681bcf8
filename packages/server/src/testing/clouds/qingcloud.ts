import { signQing } from '../../modules/cloud/providers/signatures.ts'
import { type PretendCloud, reply } from './cloud.ts'
import { keyAttrs, keys, wrongKey } from './signed.ts'

// Errors have status 200.
const failure = (ret_code: number) => reply({ ret_code, message: 'as the vendor words it' })

/** An installation of QingCloud. */
export const qingCloud: PretendCloud = {
  provider: 'qingcloud_private',
  attrs: (url) => ({ ...keyAttrs, api_endpoint: `${url}/iaas/` }),
  wrong: wrongKey,
  region: 'pek3a',
  strange: 'nowhere1',
  right: 'DescribeInstances',
  isList: ({ query }) => query.get('action') === 'DescribeInstances',
  forbidden: failure(1400),
  throttled: failure(5100),
  answer({ path, query }, machines) {
    const { signature, ...parameters } = Object.fromEntries(query)
    const isSigned = signature === signQing(path, parameters, keys.secret) && parameters.access_key_id === keys.id
    const isNow = Math.abs(Date.parse(parameters.time_stamp ?? '') - Date.now()) < 60_000
    if (path !== '/iaas/' || !isSigned) return failure(1200)
    if (!isNow) return failure(1300)
    if (parameters.action === 'DescribeZones')
      return reply({
        action: 'DescribeZonesResponse',
        ret_code: 0,
        zone_set: [
          { zone_id: 'pek3a', status: 'active' },
          { zone_id: 'gd1', status: 'faulty' },
        ],
      })
    const from = Number(parameters.offset)
    return reply({
      action: 'DescribeInstancesResponse',
      ret_code: 0,
      total_count: machines.length,
      instance_set: machines.slice(from, from + Number(parameters.limit)).map((one) => ({
        instance_id: one.id,
        instance_name: one.name,
        status: 'running',
        image: { os_family: one.isWindows ? 'windows' : 'centos', platform: one.isWindows ? 'windows' : 'linux' },
        vxnets: [{ vxnet_id: 'vxnet-0', private_ip: one.address }],
        eip: { eip_addr: one.publicAddress },
      })),
    })
  },
}
