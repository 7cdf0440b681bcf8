import { type CloudMachine, type CloudRequest, type PretendCloud, reply } from './cloud.ts'
import { isSignedForTencent, keyAttrs, wrongKey } from './signed.ts'

// Errors have status 200.
const failure = (Code: string) =>
  reply({ Response: { Error: { Code, Message: 'as the vendor words it' }, RequestId: 'ed93f3cb-f35e-473f-b9f3' } })

const region = 'ap-guangzhou'

function cloud(
  provider: string,
  { service, version }: { service: string; version: string },
  described: (machine: CloudMachine) => object,
): PretendCloud {
  const isList = ({ headers }: CloudRequest) => headers['x-tc-action'] === 'DescribeInstances'
  return {
    provider,
    attrs: () => keyAttrs,
    wrong: wrongKey,
    region,
    strange: 'ap-nowhere',
    right: `${service}:DescribeInstances`,
    isList,
    forbidden: failure('AuthFailure.UnauthorizedOperation'),
    throttled: failure('RequestLimitExceeded'),
    answer(request, machines) {
      const { headers, host } = request
      if (host !== `${service}.tencentcloudapi.com` || headers['x-tc-version'] !== version)
        return failure('InvalidParameter')
      if (!isSignedForTencent(request, service)) return failure('AuthFailure.SignatureFailure')
      if (headers['x-tc-action'] === 'DescribeRegions')
        return reply({
          Response: {
            TotalCount: 2,
            RegionSet: [
              { Region: region, RegionName: 'South China (Guangzhou)', RegionState: 'AVAILABLE' },
              { Region: 'ap-closed', RegionName: 'closed', RegionState: 'UNAVAILABLE' },
            ],
          },
        })
      if (headers['x-tc-region'] !== region) return failure('UnsupportedRegion')
      const { Offset = 0, Limit = 20 } = JSON.parse(request.body) as { Offset?: number; Limit?: number }
      if (Limit > 100) return failure('InvalidParameterValue.LimitExceeded')
      const InstanceSet = machines.slice(Offset, Offset + Limit).map(described)
      return reply({ Response: { TotalCount: machines.length, InstanceSet, RequestId: 'b5b41468-520d-4192-b42f' } })
    },
  }
}

/** CVM of Tencent Cloud, version 2017-03-12. */
export const tencentCloud = cloud(
  'qcloud',
  { service: 'cvm', version: '2017-03-12' },
  ({ id, name, address, publicAddress, isWindows }) => ({
    InstanceId: id,
    InstanceName: name,
    OsName: isWindows ? 'Windows Server 2019 DataCenter 64bit EN' : 'TencentOS Server 3.1',
    InstanceState: 'RUNNING',
    PrivateIpAddresses: [address],
    PublicIpAddresses: [publicAddress],
    IPv6Addresses: null,
  }),
)

/** Lighthouse of Tencent Cloud, version 2020-03-24. */
export const lighthouseCloud = cloud(
  'qcloud_lighthouse',
  { service: 'lighthouse', version: '2020-03-24' },
  ({ id, name, address, publicAddress, isWindows }) => ({
    InstanceId: id,
    InstanceName: name,
    OsName: isWindows ? 'Windows Server 2019' : 'CentOS 7.6 64bit',
    PlatformType: isWindows ? 'WINDOWS' : 'LINUX_UNIX',
    InstanceState: 'RUNNING',
    PrivateAddresses: [address],
    PublicAddresses: [publicAddress],
  }),
)
