import type { Migration } from '../migration.ts'

/** How private Git repositories of playbooks are signed in to: the method with its host, and the secret. */
export const migration: Migration = {
  name: '20261126035407-add-playbook-access',
  async up({ addColumn }) {
    await addColumn('ops_playbook', 'vcs_access', { type: 'json', nullable: true })
    await addColumn('ops_playbook', 'vcs_secret', { type: 'text', nullable: true })
  },
}
