import type { AccountSystem } from '@castellan/connectors/accounts'

/** How the methods of the catalogue that manage one kind of system are carried out. */
export interface MethodSystem {
  /** Protocols of the asset whose port is used; the first one that it has. */
  readonly protocols: readonly string[]
  /** Methods of the catalogue that this carries out. */
  readonly methods: readonly string[]
  /** Loaded when it is first used: a client library must not lengthen the start. */
  load(): Promise<AccountSystem>
}

/** One entry for each kind of system. */
export const systems: readonly MethodSystem[] = [
  {
    protocols: ['ssh'],
    methods: [
      'verify_account_posix',
      'change_secret_posix',
      'push_account_posix',
      'change_secret_aix',
      'push_account_aix',
      'gather_accounts_posix',
    ],
    load: async () => (await import('@castellan/connectors/accounts/posix')).posix,
  },
  {
    protocols: ['mysql', 'mariadb'],
    methods: [
      'mysql_ping',
      'verify_account_mysql',
      'change_secret_mysql',
      'push_account_mysql',
      'gather_accounts_mysql',
    ],
    load: async () => (await import('@castellan/connectors/accounts/mysql')).system,
  },
  {
    protocols: ['postgresql'],
    methods: [
      'ping_postgresql',
      'verify_account_postgresql',
      'change_secret_postgresql',
      'push_account_postgresql',
      'gather_accounts_postgresql',
    ],
    load: async () => (await import('@castellan/connectors/accounts/postgresql')).system,
  },
  {
    protocols: ['redis'],
    methods: [
      'redis_ping',
      'verify_account_redis',
      'change_secret_redis',
      'push_account_redis',
      'gather_accounts_redis',
    ],
    load: async () => (await import('@castellan/connectors/accounts/redis')).system,
  },
  {
    protocols: ['mongodb'],
    methods: [
      'mongodb_ping',
      'verify_account_mongodb',
      'change_secret_mongodb',
      'push_account_mongodb',
      'gather_accounts_mongodb',
    ],
    load: async () => (await import('@castellan/connectors/accounts/mongodb')).system,
  },
  {
    protocols: ['sqlserver'],
    methods: ['sqlserver_ping', 'verify_account_sqlserver', 'change_secret_sqlserver', 'push_account_sqlserver'],
    load: async () => (await import('@castellan/connectors/accounts/sqlserver')).system,
  },
  {
    protocols: ['oracle'],
    methods: [
      'oracle_ping',
      'verify_account_oracle',
      'change_secret_oracle',
      'push_account_oracle',
      'gather_accounts_oracle',
    ],
    load: async () => (await import('@castellan/connectors/accounts/oracle')).system,
  },
  {
    protocols: ['ssh'],
    methods: ['verify_account_by_ssh', 'change_secret_by_ssh'],
    load: async () => (await import('@castellan/connectors/accounts/device')).device,
  },
  {
    protocols: ['winrm', 'ssh'],
    methods: [
      'verify_account_windows',
      'change_secret_local_windows',
      'push_account_local_windows',
      'change_secret_windows_rdp_verify',
      'push_account_windows_rdp_verify',
      'gather_accounts_windows',
    ],
    load: async () => (await import('@castellan/connectors/accounts/windows')).windows,
  },
  {
    protocols: ['rdp'],
    methods: ['verify_account_by_rdp'],
    load: async () => (await import('@castellan/connectors/accounts/rdp')).rdp,
  },
]
