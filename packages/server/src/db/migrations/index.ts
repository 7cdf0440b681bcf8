import type { Migration } from '../migration.ts'
import { migration as m20261121114955 } from './20261121114955-first-tables.ts'
import { migration as m20261121120722 } from './20261121120722-terminal-and-audits.ts'
import { migration as m20261121121115 } from './20261121121115-users.ts'
import { migration as m20261121121117 } from './20261121121117-notifications.ts'
import { migration as m20261121121236 } from './20261121121236-assets.ts'
import { migration as m20261121121241 } from './20261121121241-accounts.ts'
import { migration as m20261121121424 } from './20261121121424-access-key-secrets.ts'
import { migration as m20261121121544 } from './20261121121544-permissions.ts'
import { migration as m20261121123132 } from './20261121123132-preferences.ts'
import { migration as m20261121123445 } from './20261121123445-system-subscriptions.ts'
import { migration as m20261121124025 } from './20261121124025-connection-tokens.ts'
import { migration as m20261121125131 } from './20261121125131-access-rules.ts'
import { migration as m20261121125417 } from './20261121125417-offered-host-keys.ts'
import { migration as m20261121132200 } from './20261121132200-page-order-indexes.ts'
import { migration as m20261121132835 } from './20261121132835-substring-search.ts'
import { migration as m20261121143500 } from './20261121143500-row-news.ts'
import { migration as m20261121143528 } from './20261121143528-people-before-components.ts'
import { migration as m20261121211500 } from './20261121211500-search-in-small-letters.ts'
import { migration as m20261122045953 } from './20261122045953-language-of-tasks.ts'
import { migration as m20261122110200 } from './20261122110200-memory-by-bytes.ts'
import { migration as m20261122113600 } from './20261122113600-links-followed-back.ts'
import { migration as m20261122145500 } from './20261122145500-ids-by-bytes.ts'
import { migration as m20261123070755 } from './20261123070755-ftp-log-component.ts'
import { migration as m20261123071653 } from './20261123071653-secret-sent-to.ts'
import { migration as m20261123103000 } from './20261123103000-executions.ts'
import { migration as m20261123110000 } from './20261123110000-events-in-commit-order.ts'
import { migration as m20261123140513 } from './20261123140513-account-collection.ts'
import { migration as m20261123165800 } from './20261123165800-gateways-of-domains.ts'
import { migration as m20261123170332 } from './20261123170332-cloud-center.ts'
import { migration as m20261123175000 } from './20261123175000-daily-counts-in-slots.ts'
import { migration as m20261123203238 } from './20261123203238-secret-rotation.ts'
import { migration as m20261123204115 } from './20261123204115-account-backup.ts'
import { migration as m20261123205054 } from './20261123205054-external-storages.ts'
import { migration as m20261123210123 } from './20261123210123-account-vault.ts'
import { migration as m20261123211348 } from './20261123211348-tickets.ts'
import { migration as m20261123211403 } from './20261123211403-add-directory-users.ts'
import { migration as m20261123212019 } from './20261123212019-login-rules.ts'
import { migration as m20261123233152 } from './20261123233152-waiting-connections.ts'
import { migration as m20261123233719 } from './20261123233719-add-session-sharing.ts'
import { migration as m20261123233958 } from './20261123233958-passkeys.ts'
import { migration as m20261123234651 } from './20261123234651-add-applets.ts'
import { migration as m20261123234752 } from './20261123234752-job-center.ts'
import { migration as m20261123235300 } from './20261123235300-redis-methods.ts'
import { migration as m20261123235948 } from './20261123235948-command-output.ts'
import { migration as m20261124000716 } from './20261124000716-temporary-passwords.ts'
import { migration as m20261124000821 } from './20261124000821-add-applet-deployments.ts'
import { migration as m20261124001024 } from './20261124001024-add-waiting-commands.ts'
import { migration as m20261124003135 } from './20261124003135-add-interface-pictures.ts'
import { migration as m20261124104500 } from './20261124104500-remember-languages.ts'
import { migration as m20261125200013 } from './20261125200013-add-upload-state.ts'
import { migration as m20261125200103 } from './20261125200103-add-job-transfers.ts'
import { migration as m20261125201441 } from './20261125201441-add-component-loads.ts'
import { migration as m20261125201957 } from './20261125201957-add-listen-ports.ts'
import { migration as m20261125210744 } from './20261125210744-index-secret-records.ts'
import { migration as m20261126035407 } from './20261126035407-add-playbook-access.ts'
import { migration as m20261127153150 } from './20261127153150-keep-addresses-of-clients.ts'
import { migration as m20261127153821 } from './20261127153821-bind-provider-identities.ts'
import { migration as m20261127154339 } from './20261127154339-add-sign-in-names.ts'
import { migration as m20261127154635 } from './20261127154635-mark-unconfirmed-destinations.ts'
import { migration as m20261127160012 } from './20261127160012-share-workers.ts'
import { migration as m20261127160028 } from './20261127160028-playbook-evidence.ts'

/** Every migration, oldest first. Append only. */
export const migrations: readonly Migration[] = [
  m20261121114955,
  m20261121120722,
  m20261121121115,
  m20261121121117,
  m20261121121236,
  m20261121121241,
  m20261121121424,
  m20261121121544,
  m20261121123132,
  m20261121123445,
  m20261121124025,
  m20261121125131,
  m20261121125417,
  m20261121132200,
  m20261121132835,
  m20261121143500,
  m20261121143528,
  m20261121211500,
  m20261122045953,
  m20261122110200,
  m20261122113600,
  m20261122145500,
  m20261123070755,
  m20261123071653,
  m20261123103000,
  m20261123110000,
  m20261123140513,
  m20261123165800,
  m20261123170332,
  m20261123175000,
  m20261123203238,
  m20261123204115,
  m20261123205054,
  m20261123210123,
  m20261123211348,
  m20261123211403,
  m20261123212019,
  m20261123233152,
  m20261123233719,
  m20261123233958,
  m20261123234651,
  m20261123234752,
  m20261123235300,
  m20261123235948,
  m20261124000716,
  m20261124000821,
  m20261124001024,
  m20261124003135,
  m20261124104500,
  m20261125200013,
  m20261125200103,
  m20261125201441,
  m20261125201957,
  m20261125210744,
  m20261126035407,
  m20261127153150,
  m20261127153821,
  m20261127154339,
  m20261127154635,
  m20261127160012,
  m20261127160028,
]
