import { type PretendCloud, reply } from './cloud.ts'
import { isSignedForAliyun, keyAttrs, wrongKey } from './signed.ts'

const failure = (Code: string, status: number) =>
  reply({ RequestId: '473469C7-AA6F-4DC5-B3DB-A3DC0DE3C83E', Code, Message: 'as the vendor words it' }, status)

/** ECS of Alibaba Cloud, version 2014-05-26. */
export const aliyunCloud: PretendCloud = {
  provider: 'aliyun',
  attrs: () => keyAttrs,
  wrong: wrongKey,
  region: 'cn-shanghai',
  strange: 'cn-nowhere-9',
  right: 'ecs:DescribeInstances',
  isList: ({ headers }) => headers['x-acs-action'] === 'DescribeInstances',
  forbidden: failure('Forbidden.RAM', 403),
  // Throttling has the status of a bad request.
  throttled: failure('Throttling.User', 400),
  answer(request, machines) {
    if (!isSignedForAliyun(request)) return failure('SignatureDoesNotMatch', 400)
    const { 'x-acs-action': action, 'x-acs-version': version } = request.headers
    if (version !== '2014-05-26') return failure('InvalidVersion', 400)
    if (action === 'DescribeRegions' && request.host === 'ecs.cn-hangzhou.aliyuncs.com')
      return reply({
        Regions: {
          Region: [
            { RegionId: 'cn-hangzhou', LocalName: 'China (Hangzhou)', RegionEndpoint: 'ecs.cn-hangzhou.aliyuncs.com' },
            { RegionId: 'cn-shanghai', LocalName: 'China (Shanghai)', RegionEndpoint: 'ecs.cn-shanghai.aliyuncs.com' },
          ],
        },
      })
    const region = request.query.get('RegionId')
    if (request.host !== `ecs.${region}.aliyuncs.com`) return failure('InvalidOperation.NotSupportedEndpoint', 400)
    if (region !== 'cn-shanghai') return failure('InvalidRegionId.NotFound', 404)
    const size = Math.min(100, Number(request.query.get('MaxResults') ?? 10))
    const from = Number(request.query.get('NextToken') ?? 0)
    const until = from + size
    return reply({
      NextToken: until < machines.length ? String(until) : '',
      Instances: {
        Instance: machines.slice(from, until).map(({ id, name, address, publicAddress, isWindows }, at) => ({
          InstanceId: id,
          InstanceName: name,
          OSType: isWindows ? 'windows' : 'linux',
          VpcAttributes: { PrivateIpAddress: { IpAddress: [address] } },
          InnerIpAddress: { IpAddress: [] },
          // Addresses are the machine's own, or elastic ones.
          PublicIpAddress: { IpAddress: at % 2 === 0 ? [publicAddress] : [] },
          EipAddress: { IpAddress: at % 2 === 0 ? '' : publicAddress },
          NetworkInterfaces: { NetworkInterface: [{ PrimaryIpAddress: address }] },
        })),
      },
    })
  },
}
