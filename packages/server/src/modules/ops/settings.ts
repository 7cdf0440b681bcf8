/** Commands on many assets. */
import { boolean, integer, stringList, text } from '../../kernel/fields/index.ts'
import { defineSettings } from '../../kernel/settings/setting-groups.ts'

export const commandExecution = defineSettings({
  category: 'ops',
  permission: 'settings.change_ops',
  fields: {
    SECURITY_COMMAND_EXECUTION: boolean({ default: true }),
    SECURITY_COMMAND_BLACKLIST: stringList({
      default: ['reboot', 'shutdown', 'poweroff', 'halt', 'dd', 'half', 'top'],
      required: true,
      max: 1024,
    }),
  },
  public: ['SECURITY_COMMAND_EXECUTION', 'SECURITY_COMMAND_BLACKLIST'],
})

/** Files that are sent to many hosts, and fetched from them. */
export const fileTransfers = defineSettings({
  changedBy: 'environment',
  fields: {
    /** The largest file, in either direction. */
    FILE_UPLOAD_SIZE_LIMIT_MB: integer({ default: 200, min: 1, max: 20_000 }),
  },
})

/** Git repositories from which playbooks come. */
export const playbookSources = defineSettings({
  changedBy: 'environment',
  fields: {
    /** Repositories may be at an address of the server itself. */
    PLAYBOOK_VCS_ON_SERVER: boolean({ default: false }),
    /** A file with the authorities that vouch for the hosts of repositories, in place of those of the machine. */
    PLAYBOOK_VCS_CA_FILE: text({ max: 1024, default: '' }),
  },
})
