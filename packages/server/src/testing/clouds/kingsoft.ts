import { type PretendCloud, reply } from './cloud.ts'
import { isSignedForKingsoft, keyAttrs, wrongKey } from './signed.ts'

const region = 'cn-beijing-6'
const failure = (status: number, Code: string) =>
  reply({ RequestId: '1d9b0a3c', Error: { Type: 'Sender', Code, Message: 'as the vendor words it' } }, status)

/** Elastic Compute of Kingsoft Cloud, version 2016-03-04. */
export const kingsoftCloud: PretendCloud = {
  provider: 'kingsoftcloud',
  attrs: () => keyAttrs,
  wrong: wrongKey,
  region,
  strange: 'cn-nowhere-1',
  right: 'kec:DescribeInstances',
  isList: ({ query }) => query.get('Action') === 'DescribeInstances',
  forbidden: failure(403, 'AccessDenied'),
  throttled: failure(429, 'Throttling'),
  answer(request, machines) {
    const { host, query } = request
    if (host !== `kec.${region}.api.ksyun.com` || query.get('Version') !== '2016-03-04')
      return failure(400, 'InvalidAction')
    if (!isSignedForKingsoft(request, region)) return failure(403, 'SignatureDoesNotMatch')
    if (query.get('Action') === 'DescribeRegions')
      return reply({ RequestId: '1d9b0a3c', RegionSet: [{ Region: region, RegionName: 'Beijing 6' }] })
    const from = Number(query.get('Marker'))
    // Fewer than are asked for, so that there are pages.
    const size = Math.min(Number(query.get('MaxResults')), 100)
    return reply({
      RequestId: '1d9b0a3c',
      Marker: from + size,
      InstanceCount: machines.length,
      InstancesSet: machines.slice(from, from + size).map((one) => ({
        InstanceId: one.id,
        InstanceName: one.name,
        Platform: one.isWindows ? 'windows' : 'centos-7.6',
        InstanceState: { Name: 'active' },
        PrivateIpAddress: one.address,
        NetworkInterfaceSet: [{ PrivateIpAddress: one.address, PublicIp: one.publicAddress }],
      })),
    })
  },
}
